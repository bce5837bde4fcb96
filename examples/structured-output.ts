/** Shows structured output while it is written: an object that grows, and a verdict on it in the end. */

import { watchObject } from 'sluice/json'

interface Recipe {
  title: string
  minutes: number
  steps: string[]
}

/** With words and a fence around it, single quotes and a comma too many, as models do it. */
async function* response() {
  yield 'Here you are:\n```json\n{"title": "Tomato so'
  yield 'up", "minutes": 2'
  yield '5, "steps": [\'Chop.\', '
  yield "'Simmer.',]}\n```"
}

// Takes a `fetch(url)` or events, too. With a Zod schema (or any other Standard Schema) as second argument the result is
// validated by it.
const recipe = watchObject<Recipe>(response())

// Each value is one that never changes, such as React wants for its state.
for await (const { value, isComplete } of recipe) {
  const minutes = isComplete('/minutes') ? `${value?.minutes} minutes` : 'how long?'
  console.log(value?.title, '|', minutes, '|', value?.steps?.join(' ') ?? 'no steps yet')
}

const result = await recipe.result
console.log(result.ok, result.status, new Set(result.repairs.map((repair) => repair.code)))
