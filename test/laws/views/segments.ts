import {
  createSegmentsView,
  SEGMENT_EVENTS,
  type SegmentEvent,
  type SegmentToolDefinition,
  ToolInvocationAdapter,
} from '../../../src/views/compat/segments/index.ts'
import { TOOLS } from '../entries.ts'
import type { ViewUnderLaw } from '../view.ts'

/** What may run is for the engine to say here, so no tool wants more than that: neither `requires` nor a schema. */
const tools: SegmentToolDefinition[] = TOOLS.map(({ inputSchema: _, ...tool }) => ({ ...tool, requires: [] }))

/** One line per segment, in the order they began: joined, it must not depend on the cuts. */
interface Shown {
  readonly type: string
  readonly start: unknown
  content: string
  end?: unknown
}

export const segments: ViewUnderLaw = {
  name: 'segments',
  options: { emit: SEGMENT_EVENTS },
  open() {
    const shown = new Map<string, Shown>()
    const calls: { toolName: string; input: never }[] = []
    const problems: string[] = []
    const adapter = new ToolInvocationAdapter({ tools })
    const view = createSegmentsView(
      (event) => {
        note(event)
        const invocation = adapter.processEvent(event)
        // As the engine sees it, before a schema brings values to its types.
        if (invocation !== null) calls.push({ toolName: invocation.name, input: event.call?.input as never })
      },
      { tools },
    )
    function note(event: SegmentEvent): void {
      const { type, segment_id: id, segment_type = '', payload } = event.toDict()
      const known = shown.get(id)
      if (type === 'SEGMENT_START') {
        if (known !== undefined) problems.push(`${id} starts twice`)
        const isOpen = [...shown.values()].some((one) => one.end === undefined)
        if (isOpen) problems.push(`${id} starts before the last one ended`)
        shown.set(id, { type: segment_type, start: payload.metadata ?? {}, content: '' })
      } else if (known === undefined) problems.push(`${id} never started`)
      else if (known.end !== undefined) problems.push(`${id} goes on after its end`)
      else if (type === 'SEGMENT_END') known.end = payload.metadata ?? {}
      else if (payload.delta === '') problems.push(`${id} has an empty piece`)
      else known.content += payload.delta
    }
    const said = (wanted: string): string =>
      [...shown.values()].map(({ type, content }) => (type === wanted ? content : '')).join('')
    return {
      add: (event) => view.add(event),
      said: () => [...shown.values()],
      told: () => ({ text: said('text'), reasoning: said('reasoning'), calls }),
      check: () =>
        problems[0] ??
        ([...shown.values()].some(({ end }) => end === undefined) ? 'not all ended' : undefined),
    }
  },
}
