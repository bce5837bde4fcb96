/**
 * Structured output for models that have none: the type that is wanted is in the system prompt, and the answer is read as a
 * model writes it. What the AI SDK gets is JSON of that type, growing:
 *
 *     Sure! {"Title": "Broken "Tiffany" la…     {"title":"Broken \"Tiffany\" la
 */

import type { ArgumentKind, JsonValue } from '../../base/event.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import type { Path } from '../../base/path.ts'
import type { BuilderListener } from '../../values/json/builder.ts'
import type { ObjectOptions } from '../../values/json/reading-options.ts'
import { TypedReading } from '../../values/json/typed/typed-reading.ts'
import { stringify } from '../../values/numbers/stringify.ts'
import { describeType } from '../../values/schema/describe-type.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'
import { withSystem } from './params.ts'
import type {
  CallOptionsLike,
  GenerateResultLike,
  PartLike,
  StreamResultLike,
  TextLikePart,
} from './parts.ts'
import type { ToolMiddleware } from './versions.ts'

/** Options of `structuredOutputMiddleware`. */
export interface StructuredOutputOptions extends Pick<ObjectOptions, 'numbers' | 'unwrap'> {
  /** Where the type stands in the system prompt: before what is there, or behind it. Default `last`. */
  readonly placement?: 'first' | 'last'
  /** Writes the part of the system prompt that asks for the type. */
  readonly prompt?: (type: string) => string
}

const OPTIONS: KnownOptions<StructuredOutputOptions> = {
  numbers: ['plain', 'formatted'],
  unwrap: 'boolean',
  placement: ['first', 'last'],
  prompt: 'function',
}

const ask = (type: string): string => `Answer with JSON of this type, and nothing else:\n${type}`

/** The part of a request that asks for an object. */
interface FormatLike {
  readonly type: string
  readonly schema?: JsonSchema | undefined
}

/**
 * `generateObject`, `streamObject` and `output` for a model that has no structured output.
 *
 *     wrapLanguageModel({ model, middleware: structuredOutputMiddleware() })
 *
 * The answer is converted to the types of the schema as `watchObject` does. One that is cut off, or of which a value cannot be
 * converted, becomes JSON that does not end, so that the AI SDK reports that there is no object.
 */
export function structuredOutputMiddleware(options: StructuredOutputOptions = {}): ToolMiddleware {
  checkOptions(options, OPTIONS)
  const { placement = 'last', prompt = ask, ...reading } = options
  /** The schema of each request, by the params that were made of it. */
  const schemas = new WeakMap<object, JsonSchema>()
  const answerTo = (params: CallOptionsLike): (() => Answer) | undefined => {
    const schema = schemas.get(params)
    return schema === undefined ? undefined : () => new Answer(schema, reading)
  }
  return {
    middlewareVersion: 'v2',
    specificationVersion: 'v4' as never,

    async transformParams<Params extends CallOptionsLike>({ params }: { readonly params: Params }) {
      const { responseFormat } = params as { readonly responseFormat?: FormatLike | undefined }
      const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined
      if (schema === undefined) return params
      const told = withSystem(params.prompt, prompt(describeType(schema)), placement)
      const rewritten = { ...params, prompt: told, responseFormat: { type: 'text' } }
      schemas.set(rewritten, schema)
      return rewritten
    },

    async wrapGenerate<Result extends GenerateResultLike>({
      doGenerate,
      params,
    }: {
      readonly doGenerate: () => PromiseLike<Result>
      readonly params: CallOptionsLike
    }): Promise<Result> {
      const open = answerTo(params)
      const result = await doGenerate()
      if (open === undefined) return result
      const content = result.content.map((part) => {
        if (!isText(part)) return part
        const answer = open()
        return { ...part, text: answer.push(part.text) + answer.end() }
      })
      return { ...result, content }
    },

    async wrapStream<Result extends StreamResultLike>({
      doStream,
      params,
    }: {
      readonly doStream: () => PromiseLike<Result>
      readonly params: CallOptionsLike
    }): Promise<Result> {
      const open = answerTo(params)
      const result = await doStream()
      return open === undefined ? result : { ...result, stream: result.stream.pipeThrough(answersIn(open)) }
    },
  }
}

function isText(part: PartLike): part is PartLike & { readonly text: string } {
  return part.type === 'text'
}

/** Reads each block of text in a stream. */
function answersIn(open: () => Answer): TransformStream<PartLike, PartLike> {
  const answers = new Map<string, Answer>()
  return new TransformStream({
    transform(part, controller) {
      const { id, delta = '' } = part as TextLikePart
      const answer = answers.get(id)
      const say = (text: string): void => {
        if (text !== '') controller.enqueue({ type: 'text-delta', id, delta: text } as PartLike)
      }
      if (part.type === 'text-start') answers.set(id, open())
      if (part.type === 'text-delta' && answer !== undefined) say(answer.push(delta))
      else {
        if (part.type === 'text-end' && answer !== undefined) {
          say(answer.end())
          answers.delete(id)
        }
        controller.enqueue(part)
      }
    },
  })
}

/** One text of a model, and the JSON that it becomes. */
class Answer {
  private text = ''
  private readonly writer = new JsonWriter()
  private readonly reading: TypedReading

  constructor(schema: JsonSchema, options: ObjectOptions) {
    this.reading = new TypedReading(schema, options, this.writer)
  }

  /** The next piece of the JSON. */
  push(text: string): string {
    this.text += text
    this.reading.push(text)
    return this.writer.take()
  }

  /** The rest of the JSON, if it is whole. A text without JSON stays as it is. */
  end(): string {
    const { reading, writer } = this
    const { shown } = reading
    reading.end()
    if (reading.document.status === 'empty') return this.text
    if (!reading.isSound || reading.shown.value === undefined) return writer.take()
    if (reading.shown === shown) return writer.take() + writer.closing
    // Strings were read again: the rest of the new text, which goes on where this one stands.
    const whole = stringify(reading.shown.value)
    return whole.startsWith(writer.written) ? whole.slice(writer.written.length) : ''
  }
}

/** Writes what is shown of a value as JSON, all but the end of the whole. */
class JsonWriter implements BuilderListener {
  written = ''
  /** What ends the whole value. */
  closing = ''
  private taken = 0
  /** How many values each open container has. */
  private readonly counts: number[] = []
  private isWhole = false

  /** What was written since the last call. */
  take(): string {
    const text = this.written.slice(this.taken)
    this.taken = this.written.length
    return text
  }

  start({ key }: Path, kind: ArgumentKind): void {
    const top = this.counts.length - 1
    if (top >= 0) {
      if (this.counts[top]!++ > 0) this.written += ','
      if (typeof key === 'string') this.written += `${JSON.stringify(key)}:`
    }
    this.isWhole = kind === 'scalar'
    if (kind === 'string') this.written += '"'
    else if (!this.isWhole) {
      this.written += kind === 'object' ? '{' : '['
      this.counts.push(0)
    }
  }

  delta(_path: Path, text: string): void {
    this.written += JSON.stringify(text).slice(1, -1)
  }

  end({ depth }: Path, value: JsonValue): void {
    let text = '"'
    if (this.isWhole) text = stringify(value)
    else if (typeof value !== 'string') {
      text = Array.isArray(value) ? ']' : '}'
      this.counts.pop()
    }
    this.isWhole = false
    if (depth === 0) this.closing = text
    else this.written += text
  }
}
