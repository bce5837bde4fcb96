/** The end of growing arguments, which waits until it is known whether the call may run: without it they never parse. */

/** All but a `}` at the end, which may be the last one. White space behind it waits with it. */
export function withoutLastBrace(call: { held: string }, delta: string): string {
  const end = delta.trimEnd().length
  if (end === 0 && call.held !== '') {
    call.held += delta
    return ''
  }
  const cut = delta.charAt(end - 1) === '}' ? end - 1 : delta.length
  const text = call.held + delta.slice(0, cut)
  call.held = delta.slice(cut)
  return text
}
