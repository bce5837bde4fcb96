/**
 * For `streamText`, where the model itself cannot be wrapped: its text is read behind it. The calls are shown and
 * not run, because `streamText` runs tools before its transforms see anything.
 */

import { checkOptions, type KnownOptions } from '../../base/options.ts'
import type { ToolDefinitions } from '../../engine/calls/tools.ts'
import type { ParserOptions } from '../../engine/parser.ts'
import { FAILED, resolveChoices } from './failures.ts'
import { toolsWithSchemas } from './lazy-schema.ts'
import { listDialects } from './list-dialects.ts'
import type { ToolMiddlewareOptions } from './middleware.ts'
import {
  type EmittedPart,
  type FailedCallPart,
  type FinishReasonLike,
  type PartLike,
  type ToolCallPart,
  withCalls,
} from './parts.ts'
import { randomId } from './random-id.ts'
import { PartTranslator } from './translator.ts'

/** Options of `sluiceTransform`. */
export type SluiceTransformOptions = Pick<
  ToolMiddlewareOptions,
  'dialect' | 'failures' | 'onError' | 'generateId'
> & {
  /** How the text is read, besides its dialect and tools. */
  readonly parser?: ToolMiddlewareOptions['parser'] & Pick<ParserOptions, 'shown'>
}

const OPTIONS: KnownOptions<SluiceTransformOptions> = {
  dialect: 'any',
  failures: 'object',
  onError: 'function',
  parser: 'object',
  generateId: 'function',
}

type Tools = Readonly<Record<string, { readonly inputSchema?: unknown }>>

/** What `streamText` gives a transform. */
export interface TransformContext {
  readonly tools?: unknown
}

/**
 * Reads the text of a `streamText` in a dialect.
 *
 *     streamText({ model, tools, prompt, experimental_transform: sluiceTransform({ dialect: hermes }) })
 */
export function sluiceTransform(
  options: SluiceTransformOptions,
): <Part extends PartLike>(context: TransformContext) => TransformStream<Part, Part> {
  checkOptions(options, OPTIONS)
  const choices = resolveChoices(options.failures)
  const dialect = listDialects(options.dialect)
  return <Part extends PartLike>({ tools }: TransformContext): TransformStream<Part, Part> => {
    const known = typeof tools === 'object' && tools !== null ? toolsWithSchemas(tools as Tools) : undefined
    const takenIds = new Set<string>()
    const open = (emit: (part: Part) => void): PartTranslator =>
      new PartTranslator(
        {
          parser: {
            ...options.parser,
            dialect,
            tools: (known ?? []) as ToolDefinitions,
          },
          choices,
          onError: options.onError,
          generateId: options.generateId ?? randomId,
          takenIds,
          warnings: [],
          isLive: true,
        },
        (part) => emit(asStreamPart(part) as Part),
        emit as (part: PartLike) => void,
      )
    let translator: PartTranslator | null = null
    let hasCalls = false
    return new TransformStream<Part, Part>({
      transform(part, controller) {
        const emit = (part: Part): void => controller.enqueue(part)
        // Each step is a response of its own.
        if (part.type === 'start-step') translator = open(emit)
        if (part.type === 'finish-step' || part.type === 'finish' || part.type === 'abort') {
          translator?.end()
          hasCalls ||= translator?.hasCalls ?? false
          translator = null
          const { finishReason } = part as PartLike & { readonly finishReason?: FinishReasonLike }
          emit(
            hasCalls && finishReason !== undefined
              ? { ...part, finishReason: withCalls(finishReason) }
              : part,
          )
        } else if (part.type === 'start') emit(part)
        else {
          translator ??= open(emit)
          translator.add(asModelPart(part))
        }
        if (part.type === 'start-step') hasCalls = false
      },
      flush() {
        translator?.end()
      },
    })
  }
}

/** `streamText` has text where a model has a delta. */
function asModelPart(part: PartLike): PartLike {
  if (part.type !== 'text-delta') return part
  return { ...part, delta: (part as PartLike & { readonly text: string }).text } as PartLike
}

/** A call in the model's own words. Its tool has not been looked up yet, so it is dynamic. */
function asStreamPart(part: EmittedPart): PartLike {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta': {
      const { delta, ...rest } = part
      return { ...rest, text: delta } as PartLike
    }
    case 'tool-input-start':
      return { ...part, dynamic: true } as PartLike
    case 'tool-call':
      return asStreamCall(part)
    case 'tool-result':
      return asStreamFailure(part)
    default:
      return part
  }
}

function asStreamCall(call: ToolCallPart): PartLike {
  const failed = call.providerMetadata?.[FAILED]
  if (failed === undefined)
    return { ...call, input: JSON.parse(call.input) as unknown, dynamic: true } as PartLike
  return { ...call, dynamic: true, invalid: true, error: new Error(failed.reason) } as PartLike
}

function asStreamFailure({ result, isError: _, ...rest }: FailedCallPart): PartLike {
  return { ...rest, type: 'tool-error', input: undefined, error: result, dynamic: true } as PartLike
}
