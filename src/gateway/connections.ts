/** The connections of the requests that are being answered, so that one can be closed in the middle of its response. */

export class Connections {
  private readonly connections = new WeakMap<Request, { destroy(): unknown }>()

  /** `env`: what the server gives along with a request. */
  add(request: Request, env: unknown): void {
    const { outgoing } = Object(env) as { outgoing?: { destroy(): unknown } }
    if (outgoing !== undefined) this.connections.set(request, outgoing)
  }

  /** False: the request did not come over a connection. */
  close(request: Request): boolean {
    const connection = this.connections.get(request)
    connection?.destroy()
    return connection !== undefined
  }
}
