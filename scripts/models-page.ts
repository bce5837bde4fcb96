// Writes docs/models.md: which model belongs to which family, from the same table that `dialectFor` reads.
import { FAMILIES, type Thinking } from '../src/dialects/families.ts'

const REASONS: Record<Thinking, string> = {
  never: 'never',
  always: 'always',
  'unless-disabled': 'unless disabled',
  'if-enabled': 'if enabled',
}

export function modelsPage(): string {
  const rows = FAMILIES.map(
    ({ name, dialect, thinking, prefill = 'text' }) =>
      `| ${name} | \`${dialect.name}\` | ${REASONS[thinking]} | ${prefill} |`,
  )
  return `${INTRODUCTION}
## Families

| family | dialect | reasons | a response that reasons begins in |
| --- | --- | --- | --- |
${rows.join('\n')}

This table is written by \`npm run docs\` from \`src/dialects/families.ts\`. A family is a name, a pattern for names of
models, a dialect, and how its chat template begins a response; adding one is a line there and a line in
\`test/dialects/models.jsonl\`.
`
}

const INTRODUCTION = `# Models

\`dialectFor\` finds the dialect of a model by the model's name: a Hugging Face id, an Ollama tag, the name of a GGUF file, or the
name in a host's API. Dates, quantisations, file types and hosts in the name make no difference.

\`\`\`ts
import { createParser } from 'sluice'
import { dialectFor } from 'sluice/dialects'

const { family, dialect, start } = dialectFor('Qwen/Qwen3-Coder-30B-A3B-Instruct')
family // → 'Qwen3-Coder'
dialect.name // → 'qwen3-coder'
start // → 'text'

const parser = createParser({ dialect, start })

dialectFor('hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M').dialect.name // → 'hermes'
dialectFor('deepseek/deepseek-chat-v3-0324:free').dialect.name // → 'deepseek-v3'
dialectFor('deepseek-r1:70b').start // → 'reasoning'
dialectFor('us.meta.llama3-3-70b-instruct-v1:0').dialect.name // → 'llama3-json'
\`\`\`

The result has everything a parser needs to read the model's text:

| field | what it is |
| --- | --- |
| \`family\` | the family that the name belongs to |
| \`dialect\` | how it writes calls, reasoning and results; an option of every parser |
| \`start\` | \`'reasoning'\` if the chat template opens the reasoning, so that the response begins inside it; \`'text'\` if it does not; undefined if this is not known |
| \`reasoning\` | the markers around reasoning, as \`dialect\` has them |
| \`callEndsReasoning\` | whether a call inside reasoning can end it |
| \`endOfTurn\` | the tokens that end the model's turn, as \`dialect\` has them |

Without a known start, the parser decides at the end of the response whether a call was a thought, so verdicts wait until then; see
[\`start\`](parser.md#start). The chat template tells it: \`detectDialect\` of [\`sluice/templates\`](templates.md).

If reasoning can be switched on and off, \`start\` follows the chat template's default. Pass what your request asks for:

\`\`\`ts
import { dialectFor } from 'sluice/dialects'

dialectFor('deepseek-ai/DeepSeek-V3.1').start // → 'text'
dialectFor('deepseek-ai/DeepSeek-V3.1', { thinking: true }).start // → 'reasoning'
dialectFor('moonshotai/Kimi-K2.5').start === undefined // → true
\`\`\`

An unknown name throws an error that names families whose names are near, if there are any, or says that the model's API sends calls as
data:

\`\`\`ts
import { dialectFor } from 'sluice/dialects'

try {
  dialectFor('qwen-9000')
} catch (error) {
  console.log((error as { code: string }).code) // → unknown-model
}
\`\`\`

A server such as vLLM may parse the calls itself and send them as data. Read them with [\`readProvider\`](providers.md), and pass the
dialect only if calls remain in the text. \`dialectFor\` puts all dialects into a bundle; a page for one model should import that
model's dialect.
`
