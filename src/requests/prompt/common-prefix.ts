/** What both texts begin with. */
export function commonPrefix(first: string, second: string): string {
  let at = 0
  while (at < first.length && first[at] === second[at]) at++
  return first.slice(0, at)
}
