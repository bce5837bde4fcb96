/**
 * The states to extend. By themselves they do what the parser does with such a tool; what they read it as is data
 * that a subclass can change, and so is everything else.
 *
 *     class Report extends XmlWriteFileToolParsingState {
 *       protected override syntax(name: string) {
 *         return { ...super.syntax(name), markers: { start: '<<<', end: '>>>' } }
 *       }
 *     }
 *     registerXmlToolParsingState('write_report', Report)
 */

import { type Limits, resolveLimits } from '../../../../base/limits.ts'
import { Rope } from '../../../../base/rope.ts'
import { Call, type CallHost } from '../../../../engine/calls/call.ts'
import { TextArguments } from '../../../../engine/calls/text-arguments.ts'
import type { Reader } from '../../../../engine/wire/reader.ts'
import { LiveSegments, SEGMENT_EVENTS } from '../segments-view.ts'
import { shownByContent, TOOL_SYNTAX, type ToolSyntax } from '../tool-syntax.ts'
import { toolElementType } from '../wire/tool-element.ts'
import { BaseState, type ParserContext, TextState } from './base-state.ts'

/** As in the dialect that the parser has for these elements. */
const STYLE = { untyped: 'string', knownToolsOnly: false, ignoreCase: true } as const
const OPENING = '<tool'

/** `<tool name="…">` of any tool: its inside is shown as it is. */
export class XmlToolParsingState extends BaseState {
  protected readonly openingTag: string
  protected readonly toolName: string
  private work: { readonly reader: Reader; readonly call: Call; readonly view: LiveSegments } | null = null
  private readonly source = new Rope()

  constructor(context: ParserContext, openingTag: string, toolName: string) {
    super(context)
    this.openingTag = openingTag
    this.toolName = toolName
  }

  /** How the tool is shown; null: by its source. */
  protected syntax(_name: string): ToolSyntax | null {
    return null
  }

  run(): void {
    this.work ??= this.begin()
    const { reader, call } = this.work
    const { scanner } = this.context
    const text = scanner.rest()
    if (text !== '') scanner.advance(this.take(text.slice(0, reader.read(text, 0, text.length, call))))
    if (reader.status === 'open') return
    call.end(this.source.toString())
    this.context.transitionTo(new TextState(this.context))
  }

  finalize(): void {
    this.work ??= this.begin()
    const { reader, call, view } = this.work
    if (this.context.ending !== null) view.endsAs(this.context.ending)
    reader.end(call)
    call.end(this.source.toString(), undefined, { offset: this.source.length, completion: '' })
  }

  private begin() {
    const { emitter, config } = this.context
    const limits = resolveLimits(config.limits)
    const view = new LiveSegments((event) => emitter.emit(event), {
      tools: config.tools,
      start: config.segmentStart,
      metadataUpdates: config.metadataUpdates,
    })
    const call = new Call(this.host(view, limits), STYLE, 0)
    const syntaxOf = () => shownByContent(this.syntax(this.toolName))
    const type = toolElementType({ name: 'tool', syntaxOf })
    const reader = type.create({ weak: false, offset: 0, limits })
    this.work = { reader, call, view }
    reader.read(this.openingTag, OPENING.length, this.openingTag.length, call)
    this.take(this.openingTag)
    return this.work
  }

  private host(view: LiveSegments, limits: Readonly<Limits>): CallHost {
    const { emitter, config } = this.context
    return {
      settings: { tools: config.tools.table, limits, ...SEGMENT_EVENTS, input: true, malformed: 'keep' },
      emit: (event, annotation) => view.add(event, annotation),
      textArguments: TextArguments,
      newId: () => emitter.takeId(),
      claimId: () => false,
      report: () => {},
      offsetOf: (index) => index,
      beforeCall: () => {},
      emitText: () => {},
    }
  }

  /** Says the next piece of the source. */
  private take(piece: string): number {
    this.source.add(piece)
    if (piece !== '' && this.work !== null)
      this.work.view.add({ type: 'tool-source-delta', id: this.work.call.id, delta: piece })
    return piece.length
  }
}

/** A tool whose content is a file. */
export class XmlWriteFileToolParsingState extends XmlToolParsingState {
  protected override syntax(name: string): ToolSyntax {
    return { ...TOOL_SYNTAX.WRITE_FILE, name }
  }
}

/** A tool whose content is a patch. */
export class XmlEditFileToolParsingState extends XmlToolParsingState {
  protected override syntax(name: string): ToolSyntax {
    return { ...TOOL_SYNTAX.EDIT_FILE, name }
  }
}

/** A tool whose content is a command. */
export class XmlRunBashToolParsingState extends XmlToolParsingState {
  protected override syntax(name: string): ToolSyntax {
    return { ...TOOL_SYNTAX.RUN_TERMINAL_CMD, name }
  }
}
