/** Colours a line of a file, a patch or a command, by what can be seen in the line itself. */

import type { Span, Style } from './row.ts'

export type Language = 'diff' | 'code' | 'text'

/** What an argument holds, by its name, the path it belongs to, and how it begins. */
export function languageOf(key: string, path: string | undefined, firstLine: string): Language {
  if (/patch|diff/i.test(key) || /\.(diff|patch)$/i.test(path ?? '') || DIFF_START.test(firstLine))
    return 'diff'
  if (path !== undefined && /\.(md|markdown|txt|rst|csv|log)$/i.test(path)) return 'text'
  if (path !== undefined && /\.\w+$/.test(path)) return 'code'
  return CODE_ARGUMENTS.test(key) ? 'code' : 'text'
}

const DIFF_START = /^(diff --git |--- |\*\*\* Begin Patch|@@ |Index: )/
const CODE_ARGUMENTS = /^(code|source|script|command|cmd|sql|query|new_str|old_str|new_string|old_string)$/i

export function coloured(line: string, language: Language): Span[] {
  if (language === 'text' || line.length > LONGEST) return [{ text: line, style: 'plain' }]
  return language === 'diff' ? [{ text: line, style: diffStyle(line) }] : codeSpans(line)
}

/** Longer lines were written by a program, for a program. */
const LONGEST = 500

function diffStyle(line: string): Style {
  if (/^(\+\+\+|---|diff |index |\*\*\* )/.test(line)) return 'bold'
  if (line.startsWith('@@')) return 'cyan'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : 'plain'
}

/** Comments, strings, numbers and words that most languages have. The first that matches at a place counts. */
const TOKEN =
  /(\/\/.*|#(?![\w{([]).*|--\s.*|\/\*.*?(?:\*\/|$)|^\s*\*.*)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`?)|\b(\d[\w.]*)\b|\b(abstract|as|async|await|break|case|catch|class|const|continue|def|default|del|do|elif|else|enum|export|extends|extern|false|final|finally|fn|for|from|func|function|if|impl|implements|import|in|interface|is|let|match|mod|mut|namespace|new|nil|None|not|null|of|or|package|pass|private|protected|pub|public|raise|readonly|return|self|static|struct|super|switch|this|throw|trait|true|True|False|try|type|typeof|undefined|use|using|var|void|when|while|with|yield)\b/g

const TOKEN_STYLES: readonly Style[] = ['dim', 'green', 'yellow', 'magenta']

function codeSpans(line: string): Span[] {
  const spans: Span[] = []
  let from = 0
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(line); match !== null; match = TOKEN.exec(line)) {
    if (match.index > from) spans.push({ text: line.slice(from, match.index), style: 'plain' })
    let group = 1
    while (match[group] === undefined) group++
    spans.push({ text: match[0], style: TOKEN_STYLES[group - 1]! })
    from = match.index + match[0].length
  }
  if (from < line.length) spans.push({ text: line.slice(from), style: 'plain' })
  return spans
}
