/**
 * Every small mistake in a source file that we know how to make: each mutant is one place of the text and what stands
 * there instead. `instrument` writes a file that holds all of its mutants, of which one at a time is active.
 *
 *     if (isWhole(call)) run(call)
 *     if (__mutant(7) ? true : __mutant(8) ? false : isWhole(call)) { if (!__mutant(9)) { run(call) } }
 */

import ts from 'typescript'

export interface SourceMutant {
  /** The file below the project's root. */
  readonly file: string
  readonly start: number
  readonly end: number
  /** The text that is replaced, and by what. Nothing: the statement is left out. */
  readonly from: string
  readonly to: string
  /** The line it begins in, without the spaces around it. */
  readonly line: string
  readonly lineNumber: number
  readonly column: number
}

const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
  '??=': ['='],
}

/** Methods of which someone takes the one for the other. */
const METHODS: Readonly<Record<string, string>> = {
  every: 'some',
  some: 'every',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  slice: 'at',
}

const EITHER = [
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]

/**
 * All mutants of a file, the outer ones before those inside of them. Only of what runs when a function is called: what runs
 * when the file is loaded cannot be switched. `wording`: functions that only word a message.
 */
export function mutantsOf(
  file: string,
  text: string,
  wording: readonly string[] = [],
): readonly SourceMutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
  const found: SourceMutant[] = []
  const add = (node: ts.Node, to: string): void => {
    const start = node.getStart(source)
    const from = text.slice(start, node.end)
    if (from === to) return
    const { line: at, character } = source.getLineAndCharacterOfPosition(start)
    const line = text.split('\n')[at]!.trim()
    found.push({ file, start, end: node.end, from, to, line, lineNumber: at + 1, column: character + 1 })
  }
  const textOf = (node: ts.Node): string => node.getText(source)

  let functions = 0
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || isMessage(node)) return
    if (ts.isFunctionDeclaration(node) && wording.includes(node.name?.text ?? '')) return
    const isFunction = ts.isFunctionLike(node) || ts.isPropertyDeclaration(node)
    if (isFunction) functions++
    if (functions > 0) mutate(node)
    ts.forEachChild(node, visit)
    if (isFunction) functions--
  }
  const mutate = (node: ts.Node): void => {
    if (isRemovable(node)) add(node, '')
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition
      add(condition, 'true')
      add(condition, 'false')
    }
    if (ts.isBinaryExpression(node)) {
      const { left, right, operatorToken } = node
      for (const other of COMPARISONS[operatorToken.getText(source)] ?? [])
        add(node, `${textOf(left)} ${other} ${textOf(right)}`)
      if (EITHER.includes(operatorToken.kind)) {
        add(node, textOf(left))
        add(node, textOf(right))
      }
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add(node, textOf(node.operand))
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false')
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true')
    if (ts.isNumericLiteral(node) && isValue(node)) add(node, `(${node.text} + 1)`)
    // A text without spaces is a word that is compared; others are messages.
    if (ts.isStringLiteral(node) && isValue(node) && !/\s/.test(node.text)) add(node, `'mutant'`)
    if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && isValue(node)) add(node, '[]')
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
      mutateMethod(node, node.expression)
  }

  const mutateMethod = (call: ts.CallExpression, { expression, name }: ts.PropertyAccessExpression): void => {
    const args = call.arguments.map(textOf).join(', ')
    const other = Object.hasOwn(METHODS, name.text) ? METHODS[name.text] : undefined
    if (other !== undefined) add(call, `${textOf(expression)}.${other}(${args})`)
    if (name.text === 'filter') add(call, textOf(expression))
  }

  visit(source)
  return found
}

/** An expression, and not a name or a pattern. */
function isValue(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) return parent.initializer === node
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node
  if (ts.isBinaryExpression(parent) && parent.left === node) return !isAssignment(parent)
  return !ts.isLiteralTypeNode(parent) && !ts.isCaseClause(parent) && !ts.isBindingElement(parent)
}

const isAssignment = ({ operatorToken }: ts.BinaryExpression): boolean =>
  operatorToken.kind >= ts.SyntaxKind.FirstAssignment && operatorToken.kind <= ts.SyntaxKind.LastAssignment

/** What an error says is read by people, and decides nothing. */
const isMessage = (node: ts.Node): boolean =>
  ts.isThrowStatement(node.parent ?? node) ||
  (ts.isNewExpression(node) && /Error$/.test(node.expression.getText()))

/** A statement that others can do without, as far as the compiler knows. */
function isRemovable(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return !/^super\b/.test(node.getText())
  return (
    ts.isReturnStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isBreakStatement(node) ||
    ts.isContinueStatement(node)
  )
}

/** The text with all of its mutants in it; the first of them has this number. */
export function instrument(text: string, mutants: readonly SourceMutant[], first: number): string {
  const numbered = mutants.map((mutant, at) => ({ ...mutant, number: first + at }))
  const write = (start: number, end: number, inner: typeof numbered): string => {
    let written = ''
    let at = start
    for (let index = 0; index < inner.length; ) {
      const outer = inner[index]!
      const same = inner.filter((other) => other.start === outer.start && other.end === outer.end)
      const within = inner.filter(
        (other) => other.start >= outer.start && other.end <= outer.end && !same.includes(other),
      )
      written += text.slice(at, outer.start) + switched(same, write(outer.start, outer.end, within))
      at = outer.end
      index = inner.findIndex((other) => other.start >= at)
      if (index === -1) break
    }
    return written + text.slice(at, end)
  }
  const switched = (same: typeof numbered, original: string): string => {
    const removal = same.find(({ to }) => to === '')
    const others = same.filter((mutant) => mutant !== removal)
    const choices = others.map(({ number, to }) => `__mutant(${number}) ? (${to}) : `).join('')
    const expression = choices === '' ? original : `(${choices}${original})`
    // The outer braces keep an `else` behind it with the `if` before it.
    return removal === undefined ? expression : `{ if (!__mutant(${removal.number})) { ${expression} } }`
  }
  // The outermost first where two begin together.
  numbered.sort((a, b) => a.start - b.start || b.end - a.end)
  return write(0, text.length, numbered)
}
