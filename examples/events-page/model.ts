/** A model that always writes the same, so that the example needs no key and no network. */

const FILE = '# Tea\n\n1. Boil water.\n2. Wait < 5 minutes.\n'
const TEXT = `<think>Two steps.</think>I write it down.
<tool_call>
${JSON.stringify({ name: 'write_file', arguments: { path: 'tea.md', content: FILE } })}
</tool_call>`

/** Awaited before each piece. */
export type Pace = (piece: string) => Promise<void>

export async function* say(pace: Pace): AsyncGenerator<string> {
  for (const piece of TEXT.match(/[\s\S]{1,5}/g)!) {
    await pace(piece)
    yield piece
  }
}
