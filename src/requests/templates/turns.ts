/** Everything that a template was asked to write, given in the way in which it takes conversations. */

import { messageOf, SluiceError } from '../../base/errors.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { type ChatTemplate, compileTemplate, type RenderPrompt, readChatTemplate } from './chat-template.ts'
import { TemplateLimitError } from './limited-interpreter.ts'
import { CALL_PROBES, ONE_CALL, PLAIN, type Probe, REASONING_PROBES } from './probes.ts'
import { CONVENTIONS, isWritten, TurnWriter, type UnwrittenTurn, type WrittenTurn } from './written-turns.ts'

/** Options of `detectDialect` and `deriveDialect`. */
export interface TemplateOptions {
  /** Whether reasoning is switched on in the request. By default it is as the template has it. */
  readonly thinking?: boolean
}

const OPTIONS: KnownOptions<TemplateOptions> = { thinking: 'boolean' }

export interface Turns {
  readonly writer: TurnWriter
  /** Text, and calls. */
  readonly plain: readonly WrittenTurn[]
  readonly reasoning: readonly WrittenTurn[]
  readonly unwritten: readonly UnwrittenTurn[]
}

/** What the template writes, once for each way in which it writes a call. Throws where there is none. */
export function turnsOf(template: string | ChatTemplate, options: TemplateOptions): Turns[] {
  checkOptions(options, OPTIONS)
  const render = compileTemplate(typeof template === 'string' ? readChatTemplate(template) : template)
  const found: Turns[] = []
  const problems: string[] = []
  for (const conventions of CONVENTIONS) {
    const writer = writerOf(render, conventions, options.thinking)
    const call = typeof writer === 'string' ? writer : writer.write(ONE_CALL)
    if (typeof call === 'string') problems.push(call)
    else if (!isWritten(call)) problems.push(call.why)
    else if (!found.some((turns) => isSame(turns, call))) found.push(written(writer as TurnWriter))
  }
  if (found.length > 0) return found
  throw new SluiceError(
    'invalid-chat-template',
    `The chat template writes no calls (rendered with a test call, ${problems[0]}). Pass the template that the model uses with tools.`,
  )
}

function writerOf(
  render: RenderPrompt,
  conventions: (typeof CONVENTIONS)[number],
  thinking: boolean | undefined,
): TurnWriter | string {
  try {
    return new TurnWriter(render, conventions, thinking)
  } catch (error) {
    if (error instanceof TemplateLimitError) throw error
    return `the template refuses a conversation: ${messageOf(error)}`
  }
}

/** Most templates write the same, whatever they are given. */
function isSame({ plain }: Turns, call: WrittenTurn): boolean {
  return plain.some(({ probe, whole }) => probe === call.probe && whole === call.whole)
}

function written(writer: TurnWriter): Turns {
  const write = (probes: readonly Probe[]) => probes.map((probe) => writer.write(probe))
  const plain = write([PLAIN, ...CALL_PROBES])
  const reasoning = write(REASONING_PROBES)
  return {
    writer,
    plain: plain.filter(isWritten),
    reasoning: reasoning.filter(isWritten),
    unwritten: [...plain, ...reasoning].filter((turn): turn is UnwrittenTurn => !isWritten(turn)),
  }
}
