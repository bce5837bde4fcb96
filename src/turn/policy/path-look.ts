/**
 * Names that are something else to those who normalise them: `．．` becomes `..`, `．git` becomes `.git`.
 *
 * Whether the reader of a path does so is unknown. What may change its meaning is therefore unreadable.
 */

const ASCII = /^[ -~]*$/

/** As the most generous of them read it: compatible characters are the same, and what is not seen is not there. */
function plain(name: string): string {
  return ASCII.test(name) ? name : name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

/** A name that may become several, or lead up: in it are characters that pass for slashes, or for nothing but dots. */
export function hidesPath(name: string): boolean {
  if (ASCII.test(name)) return false
  const read = plain(name)
  return /[\u2044\u2215]/.test(name) || (read !== name && /[/\\]|^\.*$/.test(read))
}

/** Whether a name that is not the one that is wanted may pass for it. */
export function looksLike(
  name: string,
  wanted: string,
  { isWindows, ignoresCase }: { readonly isWindows: boolean; readonly ignoresCase: boolean },
): boolean {
  // Windows knows every long name by a short one, too: PROGRA~1.
  if (isWindows && /~\d/.test(name)) return true
  if (ASCII.test(name) && ASCII.test(wanted)) return false
  const folded = (text: string): string =>
    ignoresCase ? plain(text).toUpperCase().toLowerCase() : plain(text)
  return folded(name) === folded(wanted)
}
