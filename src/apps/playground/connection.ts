/** A run at the gateway that served the page: started, followed, come back to, stopped. */

export interface RunRequest {
  readonly model: string
  readonly prompt: string
  readonly tools?: unknown
}

/** What the gateway refused, in its own words. */
class GatewayRefusal extends Error {}

export interface StartedRun {
  readonly id: string
  /** Whether it can be come back to; without a log at the gateway it cannot, and `body` is all there is. */
  readonly isKept: boolean
  readonly body: ReadableStream<Uint8Array>
}

/** The gateway at the origin of the page. The key stays in memory. */
export class GatewayConnection {
  private readonly keepsRuns: boolean
  key = ''

  /** `keepsRuns`: it has a log, so that a run can be come back to. */
  constructor(keepsRuns: boolean) {
    this.keepsRuns = keepsRuns
  }

  async models(): Promise<string[]> {
    const response = await this.ask('/v1/models')
    const { data } = (await response.json()) as { data: { id: string }[] }
    return data.map(({ id }) => id)
  }

  /** Starts a run that can be come back to, if the gateway keeps runs. */
  async start({ model, prompt, tools }: RunRequest): Promise<StartedRun> {
    const body = {
      model,
      stream: true,
      messages: [{ role: 'user', content: prompt }],
      ...(Array.isArray(tools) && tools.length > 0 && { tools: tools.map(asFunction) }),
    }
    const response = await this.ask('/v1/chat/completions', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sluice-extensions': '1',
        ...(this.keepsRuns && { 'sluice-resumable': '1' }),
      },
      body: JSON.stringify(body),
    })
    return { id: response.headers.get('sluice-run') ?? '', isKept: this.keepsRuns, body: response.body! }
  }

  /** Stops a run. Whoever follows it sees its end. */
  async stop(id: string): Promise<void> {
    await this.ask(`/v1/runs/${encodeURIComponent(id)}`, { method: 'DELETE' })
  }

  /**
   * Follows a run from its beginning to its end, in whole frames, and connects again behind the last one where the
   * connection breaks off.
   */
  async follow(id: string, onFrames: (frames: string) => void, signal: AbortSignal): Promise<void> {
    let after = ''
    for (let attempt = 0; !signal.aborted; attempt++) {
      const path = `/v1/runs/${encodeURIComponent(id)}?as=events${after && `&after=${after}`}`
      try {
        const response = await this.ask(path, { signal })
        const frames = await readFrames(response.body!, (text) => {
          onFrames(text)
          after = [...text.matchAll(/^id: ?(\S+)$/gm)].at(-1)?.[1] ?? after
          attempt = 0
        })
        if (frames === 'ended') return
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof GatewayRefusal || attempt >= RETRIES) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** Math.min(attempt, 4)))
    }
  }

  private async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const key = this.key === '' ? {} : { authorization: `Bearer ${this.key}` }
    const response = await fetch(path, {
      ...init,
      headers: { ...init.headers, ...key } as Record<string, string>,
    })
    await check(response)
    return response
  }
}

const RETRIES = 8
const PAUSE_MS = 250

async function check(response: Response): Promise<void> {
  if (response.ok) return
  const body = (await response.json().catch(() => ({}))) as { error?: { message?: unknown } }
  throw new GatewayRefusal(`${response.status}: ${String(body.error?.message ?? response.statusText)}`)
}

/** Gives on whole frames only, so that nothing is half there when the connection breaks off. */
export async function readFrames(
  body: ReadableStream<Uint8Array>,
  onFrames: (text: string) => void,
): Promise<'ended' | 'broken'> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let waiting = ''
  let isEnded = false
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return isEnded ? 'ended' : 'broken'
    waiting += decoder.decode(value, { stream: true })
    const end = waiting.lastIndexOf('\n\n') + 2
    if (end < 2) continue
    const whole = waiting.slice(0, end)
    waiting = waiting.slice(end)
    isEnded ||= /^data: ?(\{"type":"finish"|\[DONE\])/m.test(whole)
    onFrames(whole)
  }
}

/** A tool as Chat Completions has it. */
function asFunction(tool: unknown): unknown {
  const { name, description, inputSchema, parameters } = Object(tool) as Record<string, unknown>
  return { type: 'function', function: { name, description, parameters: inputSchema ?? parameters } }
}
