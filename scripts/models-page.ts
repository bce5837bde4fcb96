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
    ({ name, dialect, thinking, isPrefilled }) =>
      `| ${name} | \`${dialect.name}\` | ${REASONS[thinking]} | ${isPrefilled ? 'reasoning' : 'text'} |`,
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

\`dialectFor\` finds what a model writes by the model's name: a Hugging Face id, an Ollama tag, the name of a GGUF file, or
what a host's API calls it.

\`\`\`ts
import { createParser } from 'sluice'
import { dialectFor } from 'sluice/dialects'

const { family, dialect, start } = dialectFor('Qwen/Qwen3-Coder-30B-A3B-Instruct')
family // → 'Qwen3-Coder'
dialect.name // → 'qwen3-coder'
start // → 'text'

const parser = createParser({ dialect, start })

dialectFor('hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M').dialect.name // → 'hermes'
dialectFor('deepseek-r1:70b').start // → 'reasoning'
dialectFor('us.meta.llama3-3-70b-instruct-v1:0').dialect.name // → 'llama3-json'
\`\`\`

The answer has all that is needed to read the model's text:

| field | what it is |
| --- | --- |
| \`family\` | the family that the name belongs to |
| \`dialect\` | how it writes calls, reasoning and results; an option of every parser |
| \`start\` | \`'reasoning'\` if the chat template opens the reasoning, so that the response begins inside it; else \`'text'\` |
| \`reasoning\` | the markers around reasoning, as \`dialect\` has them |
| \`callEndsReasoning\` | whether a call inside reasoning can end it |
| \`endOfTurn\` | the tokens that end the model's turn, as \`dialect\` has them |

Where reasoning can be switched, \`start\` goes by the chat template's default. Say what your request asks for:

\`\`\`ts
import { dialectFor } from 'sluice/dialects'

dialectFor('deepseek-ai/DeepSeek-V3.1').start // → 'text'
dialectFor('deepseek-ai/DeepSeek-V3.1', { thinking: true }).start // → 'reasoning'
\`\`\`

A name that belongs to no family is an error that says what comes near, or that the model's API sends calls as data:

\`\`\`ts
import { dialectFor } from 'sluice/dialects'

try {
  dialectFor('qwen-9000')
} catch (error) {
  console.log((error as { code: string }).code) // → unknown-model
}
\`\`\`

A server such as vLLM may read the calls itself, and then its API sends them as data: read those with
[\`readProvider\`](providers.md), with the dialect only if calls are left in the text. \`dialectFor\` brings all dialects
into a bundle; a page that reads one model imports that model's dialect.
`
