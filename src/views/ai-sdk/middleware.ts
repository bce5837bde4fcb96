/** The middleware itself: what `wrapLanguageModel` calls before a request, and around it. */

import { checkOptions, type KnownOptions } from '../../base/options.ts'
import type { ParserOptions } from '../../engine/parser.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import { type SystemPrompt, systemPrompt } from '../../requests/prompt/system-prompt.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'
import { openDebug } from './debug.ts'
import { type FailureChoices, type OnError, resolveChoices } from './failures.ts'
import { listDialects } from './list-dialects.ts'
import { type ParamsSettings, type RequestNotes, rewriteParams, takeNotes } from './params.ts'
import type { CallOptionsLike, GenerateResultLike, StreamResultLike } from './parts.ts'
import { randomId } from './random-id.ts'
import type { FormatResult } from './results.ts'
import { type ChoiceSettings, onlyTool, readChoice, streamOf } from './tool-choice.ts'
import { translateContent, translateStream } from './translate.ts'

/** Options of `createToolMiddleware`. */
export interface ToolMiddlewareOptions {
  /** How the model writes calls and reasoning. Of several, the first is the one that is written. */
  readonly dialect: Dialect | readonly Dialect[]
  /** Where the tools stand in the system prompt: before what is there, or behind it. Default `last`. */
  readonly placement?: 'first' | 'last'
  /** Writes the part of the system prompt that is about tools. */
  readonly systemPrompt?: SystemPrompt
  /** Writes a tool's answer into the prompt. Default: as the dialect does, made harmless. */
  readonly formatResult?: FormatResult
  /** Files in results: given to the model beside the text, or only mentioned in it. Default `forward`. */
  readonly media?: 'forward' | 'placeholder'
  /** What becomes of calls that must not run. Default: calls that cannot run, so that the model is told. */
  readonly failures?: FailureChoices
  readonly onError?: OnError
  /** Schemas by which values are typed, where the ones in the request are not those of the tools themselves. */
  readonly originalToolSchemas?: Readonly<Record<string, JsonSchema>>
  /** For each tool the argument that is its body, for formats that have one. */
  readonly streams?: Readonly<Record<string, string>>
  /** How the text is read, besides its dialect and tools. */
  readonly parser?: Pick<ParserOptions, 'start' | 'stop' | 'protectCode' | 'reasoning' | 'limits'>
  /** Ids of calls, unlike any other in the conversation. */
  readonly generateId?: () => string
}

const OPTIONS: KnownOptions<ToolMiddlewareOptions> = {
  dialect: 'any',
  placement: ['first', 'last'],
  systemPrompt: 'function',
  formatResult: 'function',
  media: ['forward', 'placeholder'],
  failures: 'object',
  onError: 'function',
  originalToolSchemas: 'object',
  streams: 'object',
  parser: 'object',
  generateId: 'function',
}

/** What the three majors of the interface have in common. Each accepts it as its own, apart from its version. */
export interface ToolMiddlewareMethods {
  transformParams<Params extends CallOptionsLike>(options: { readonly params: Params }): Promise<Params>
  wrapGenerate<Result extends GenerateResultLike>(options: {
    readonly doGenerate: () => PromiseLike<Result>
    readonly params: CallOptionsLike
  }): Promise<Result>
  wrapStream<Result extends StreamResultLike>(options: {
    readonly doStream: () => PromiseLike<Result>
    readonly doGenerate: () => PromiseLike<GenerateResultLike>
    readonly params: CallOptionsLike
  }): Promise<Result>
}

export function createMethods(options: ToolMiddlewareOptions): ToolMiddlewareMethods {
  checkOptions(options, OPTIONS)
  const { parser = {}, generateId = randomId, onError } = options
  const dialects = listDialects(options.dialect)
  const [dialect] = dialects
  const choices = resolveChoices(options.failures)
  const settings: ParamsSettings = {
    ...options,
    dialect,
    dialects,
    protectCode: parser.protectCode ?? false,
    placement: options.placement ?? 'last',
    systemPrompt: options.systemPrompt ?? systemPrompt,
    media: options.media ?? 'forward',
  }
  /** What was noted of a request, by the params that were made of it: they come back with the answer. */
  const requests = new WeakMap<object, RequestNotes>()
  const notesOn = (params: CallOptionsLike): RequestNotes =>
    requests.get(params) ?? takeNotes(params, settings)

  const reading = (notes: RequestNotes): ChoiceSettings => ({
    toolName: notes.toolName,
    parser: {
      ...parser,
      dialect: dialects,
      shown: notes.shown,
      tools: notes.toolName === undefined ? notes.tools : onlyTool(notes.tools, notes.toolName),
      ...(notes.mode === 'none' && { calls: false }),
    },
    choices,
    onError: notes.onError ?? onError,
    generateId,
    takenIds: notes.takenIds,
    warnings: notes.warnings,
    isChoice: notes.mode === 'required',
    hiddenTools: notes.hiddenTools,
  })

  const generate = async <Result extends GenerateResultLike>(
    doGenerate: () => PromiseLike<Result>,
    notes: RequestNotes,
  ): Promise<Result> => {
    const settings = reading(notes)
    const debug = openDebug(settings.parser)
    const read = notes.mode === 'required' ? readChoice : translateContent
    const result = read(await doGenerate(), settings, debug)
    debug?.end()
    return result
  }

  return {
    async transformParams({ params }) {
      const taken = takeNotes(params, settings)
      // Where no tool was offered, nothing in the answer is a call.
      const isWithout = taken.mode === 'auto' && taken.tools.length === 0
      const notes = isWithout ? ({ ...taken, mode: 'none' } as const) : taken
      const { params: rewritten, instructions } = rewriteParams(params, notes, settings)
      requests.set(rewritten, { ...notes, shown: { ...notes.shown, instructions } })
      return rewritten
    },

    async wrapGenerate({ doGenerate, params }) {
      return generate(doGenerate, notesOn(params))
    },

    async wrapStream<Result extends StreamResultLike>({
      doStream,
      doGenerate,
      params,
    }: {
      readonly doStream: () => PromiseLike<Result>
      readonly doGenerate: () => PromiseLike<GenerateResultLike>
      readonly params: CallOptionsLike
    }): Promise<Result> {
      const notes = notesOn(params)
      if (notes.mode === 'required') {
        // The call has been made of the text already; what is left is to give it out in parts.
        return streamOf(await generate(doGenerate, notes)) as unknown as Result
      }
      const result = await doStream()
      const read = reading(notes)
      return { ...result, stream: translateStream(result.stream, read, openDebug(read.parser)) }
    },
  }
}
