/** Rendering with limits: a chat template is a program from anywhere, which may run for ever or write without end. */

import type { Interpreter } from '@huggingface/jinja'
import { SluiceError } from '../../base/errors.ts'

/**
 * What one prompt may take. Of 90 templates of models, none takes more than 4,000 steps and 100,000 characters. A step is a
 * node of the program or a part of a value.
 */
export const MOST_STEPS = 50_000
export const MOST_CHARACTERS = 1_000_000
/** Nodes inside each other, such as macros that call themselves. The stack has more. */
const MOST_LEVELS = 1_000
/** Characters that one filter or method may write. */
const MOST_WRITTEN = 16_000_000

/** A template takes too much. It is not rendered again. */
export class TemplateLimitError extends SluiceError {
  constructor(why: string) {
    super('invalid-chat-template', `The chat template is not rendered: ${why}.`)
  }
}

/** A node of the program, whose types the library does not export. */
interface Node {
  readonly type: string
  readonly callee?: Node
}

/**
 * The same interpreter, which throws where a template goes on for too long, at the latest at a time in milliseconds.
 *
 * The result of each node is counted with all its parts, because a loop, a filter or an operator takes time in
 * proportion to the values that it is given, and each of those is the result of a node.
 */
export function limited(interpreter: Interpreter, deadline: number): Interpreter {
  const evaluate = interpreter.evaluate.bind(interpreter)
  let steps = 0
  let characters = 0
  let levels = 0
  // Of the node that is evaluated: the product of the sizes of the results inside it, and whether it is a limit.
  let product = 1
  let writesProduct = false

  const step = (): void => {
    if (++steps > MOST_STEPS) throw new TemplateLimitError(`it takes more than ${MOST_STEPS} steps`)
  }
  const count = (text: string): void => {
    characters += text.length
    if (characters > MOST_CHARACTERS)
      throw new TemplateLimitError(`it writes more than ${MOST_CHARACTERS} characters`)
  }
  const measure = (result: unknown): number => {
    const before = steps + characters
    const parts = [result]
    while (parts.length > 0) {
      step()
      const value = contentOf(parts.pop())
      if (typeof value === 'string') count(value)
      else if (Array.isArray(value)) for (const part of value) parts.push(part)
      else if (value instanceof Map)
        for (const [key, part] of value) {
          count(String(key))
          parts.push(part)
        }
    }
    return steps + characters - before
  }

  interpreter.evaluate = (...given: Parameters<Interpreter['evaluate']>) => {
    const node = given[0] as Node | undefined
    step()
    if (Date.now() > deadline) throw new TemplateLimitError('it takes too long')
    if (levels >= MOST_LEVELS) throw new TemplateLimitError(`it nests more than ${MOST_LEVELS} levels`)
    const outer = { product, writesProduct, levels }
    levels++
    product = 1
    writesProduct = isFilterOrMethod(node)
    let inner: number
    let result: ReturnType<Interpreter['evaluate']>
    try {
      result = evaluate(...given)
      inner = product
    } finally {
      ;({ product, writesProduct, levels } = outer)
    }
    const value = contentOf(result)
    const size = measure(result)
    // A method has the size of its object. A number counts as an argument only: it may be the width of an indent.
    if (typeof value === 'function') product *= inner
    else if (typeof value !== 'number') product *= size
    else if (product > 1) product *= Math.max(1, Math.abs(value))
    if (writesProduct && !(product <= MOST_WRITTEN))
      throw new TemplateLimitError(`a filter or a method may write more than ${MOST_WRITTEN} characters`)
    return result
  }
  return interpreter
}

function contentOf(value: unknown): unknown {
  return (value as { value?: unknown } | undefined)?.value
}

/** A filter or a method, such as `replace` or `join`, writes no more than the product of what it is given. */
function isFilterOrMethod(node: Node | undefined): boolean {
  if (node?.type === 'CallExpression') return node.callee?.type === 'MemberExpression'
  return node?.type === 'FilterExpression' || node?.type === 'FilterStatement'
}
