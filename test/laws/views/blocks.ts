import type { JsonValue } from '../../../src/base/event.ts'
import { type BlockEvent, type ChunkMeta, createBlocksView } from '../../../src/views/compat/blocks/index.ts'
import type { ViewUnderLaw } from '../view.ts'

type Said = { event: BlockEvent } | { chunk: string; meta: ChunkMeta }

export const blocks: ViewUnderLaw = {
  name: 'blocks',
  open() {
    const said: Said[] = []
    let text = ''
    let reasoning = ''
    const calls: { toolName: string; input: JsonValue }[] = []
    const view = createBlocksView({
      onChunk(chunk, meta) {
        if (meta.visible) text += chunk
        if (meta.type === 'thinking') reasoning += chunk
        const last = said.at(-1)
        if (last !== undefined && 'chunk' in last && last.meta === meta) last.chunk += chunk
        else said.push({ chunk, meta })
      },
      onBlock(event) {
        said.push({ event })
        if (event.event === 'block_complete' && event.block.input !== undefined)
          calls.push({ toolName: event.block.toolName!, input: event.block.input as JsonValue })
      },
    })
    return {
      add: (event) => view.add(event),
      said: () => said,
      told: () => ({ text, reasoning, calls }),
      check: () => problemWith(said),
    }
  },
}

/** Blocks one after the other, each with its start, its chunks and its end, which says what they said. */
function problemWith(said: readonly Said[]): string | undefined {
  let index = -1
  let open: BlockEvent | null = null
  let content = ''
  let parts = ''
  for (const one of said) {
    if ('chunk' in one) {
      if (open === null || one.meta.blockIndex !== index)
        return `a chunk of ${one.meta.blockIndex} outside of it`
      if (one.chunk === '') return `an empty chunk in ${index}`
      if (one.meta.type !== open.block.type) return `a chunk of another type in ${index}`
      if (one.meta.visible !== (open.block.type === 'text'))
        return `block ${index} is shown to the wrong people`
      content += one.chunk
      parts += `${one.meta.toolCallPart ?? ''} `
    } else if (one.event.event === 'block_start') {
      if (open !== null) return `block ${one.event.index} begins inside block ${index}`
      if (one.event.index !== ++index) return `block ${one.event.index} where ${index} should be`
      open = one.event
      content = ''
      parts = ''
    } else {
      const { block } = one.event
      if (open === null || one.event.index !== index) return `the end of ${one.event.index} outside of it`
      if (block.type !== open.block.type) return `block ${index} ends as another type`
      if (block.type === 'tool_call') {
        // A call without a name has nothing to show of it.
        const name = block.toolName === '' ? '' : 'name '
        if (parts !== `${name}id ` && parts !== `${name}id input `)
          return `the parts of ${index} are ${parts}`
        if (!content.startsWith(`${block.toolName}${block.toolId}`))
          return `block ${index} is of another call`
        const input = content.slice(`${block.toolName}${block.toolId}`.length)
        if (block.input !== undefined && JSON.stringify(JSON.parse(input)) !== JSON.stringify(block.input))
          return `the input of ${index} is not what its chunks say`
      } else if (block.content !== content) return `the content of ${index} is not what its chunks say`
      if (block.type === 'text' && content === '') return `block ${index} is a text without words`
      open = null
    }
  }
  return open === null ? undefined : `block ${index} does not end`
}
