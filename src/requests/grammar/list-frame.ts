/**
 * How things are written one after the other, found by writing one, another, and both:
 *
 *     [⏎{"name":"a"}⏎]    [⏎{"name":"b"}⏎]    [⏎{"name":"a"}, {"name":"b"}⏎]
 *     ^^ before     ^^ behind                              ^^ between
 */

import { SluiceError } from '../../base/errors.ts'

/** The text before, between and after the items of a list. */
export interface ListFrame {
  readonly before: string
  readonly between: string
  readonly behind: string
}

/** The frame of a list. The two things must begin and end differently. */
export function listFrame(first: string, second: string, both: string): ListFrame {
  let before = first.slice(0, commonStart(first, second))
  let behind = first.slice(first.length - commonEnd(first.slice(before.length), second.slice(before.length)))
  const itemOf = (written: string) => written.slice(before.length, written.length - behind.length)
  const [start, end] = [before + itemOf(first), itemOf(second) + behind]
  if (!both.startsWith(start) || !both.endsWith(end) || both.length < start.length + end.length)
    throw new SluiceError(
      'unrepresentable',
      `Two calls are not written as a list: ${JSON.stringify(both)} of ${JSON.stringify(first)} and ${JSON.stringify(second)}.`,
    )
  let between = both.slice(start.length, both.length - end.length)
  // What every item begins with, or ends with, belongs to the items.
  const common = commonEnd(before, between)
  const shared = Math.min(
    ...[before, between].map((text) => text.length - markerEnd(text, text.length - common)),
  )
  before = before.slice(0, before.length - shared)
  between = between.slice(0, between.length - shared)
  const ending = commonStart(behind, between)
  behind = behind.slice(ending)
  between = between.slice(ending)
  return { before, between, behind }
}

/** A place that is not inside a marker: the place itself, or the end of the marker it is in. `<calls|>` → `<calls>|` */
function markerEnd(text: string, at: number): number {
  for (const { index, 0: marker } of text.matchAll(/<[^<>\n]+>/g))
    if (index < at && at < index + marker.length) return index + marker.length
  return at
}

/** What stands in the frame of a list with one item. */
export function itemIn({ before, behind }: ListFrame, written: string): string {
  if (!written.startsWith(before) || !written.endsWith(behind))
    throw new SluiceError(
      'unrepresentable',
      `${JSON.stringify(written)} is not a list of one between ${JSON.stringify(before)} and ${JSON.stringify(behind)}.`,
    )
  return written.slice(before.length, written.length - behind.length)
}

/** How many characters two texts begin with alike. */
export function commonStart(first: string, second: string): number {
  let count = 0
  while (count < first.length && count < second.length && first[count] === second[count]) count++
  return count
}

/** How many characters two texts end with alike. */
function commonEnd(first: string, second: string): number {
  let count = 0
  while (
    count < first.length &&
    count < second.length &&
    first[first.length - 1 - count] === second[second.length - 1 - count]
  )
    count++
  return count
}
