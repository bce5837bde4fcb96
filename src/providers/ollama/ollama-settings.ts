/** The settings of a request to Ollama: most of them are the model's `options`, some stand beside them. */

import { type Fields, isFields } from '../../base/fields.ts'
import type { ReasoningSettings, Settings } from '../../requests/conversation/model-request.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'
import { numberOf, textsOf } from '../payload-fields.ts'
import { LOGPROBS, numberField, type SettingFields, type Spelling, settingFields } from '../setting-fields.ts'

const NAME = 'ollama'

/** In `options`. */
export const MODEL_OPTIONS: readonly SettingFields[] = [
  numberField('temperature', 'temperature'),
  numberField('topP', 'top_p'),
  numberField('topK', 'top_k'),
  numberField('minP', 'min_p'),
  numberField('seed', 'seed'),
  numberField('presencePenalty', 'presence_penalty'),
  numberField('frequencyPenalty', 'frequency_penalty'),
  settingFields({
    setting: 'maxOutputTokens',
    fields: ['num_predict'],
    // Negative numbers have meanings of their own, such as no limit.
    read: ({ num_predict }) => ((numberOf(num_predict) ?? 0) > 0 ? numberOf(num_predict) : undefined),
    write: (num_predict) => ({ num_predict }),
  }),
  settingFields({
    setting: 'stopSequences',
    fields: ['stop'],
    read: ({ stop }) => (typeof stop === 'string' ? [stop] : textsOf(stop)),
    write: (stop) => ({ stop }),
  }),
]

/** In the body itself. */
export const SETTINGS: readonly SettingFields[] = [
  settingFields({
    setting: 'output',
    fields: ['format'],
    read: ({ format }) =>
      format === 'json' ? {} : isFields(format) ? { schema: format as JsonSchema } : undefined,
    write: ({ schema }: Exclude<Settings['output'], undefined>) => ({ format: schema ?? 'json' }),
  }),
  settingFields({
    setting: 'reasoning',
    fields: ['think'],
    read: ({ think }) =>
      typeof think === 'boolean'
        ? { effort: think ? 'medium' : 'none' }
        : typeof think === 'string'
          ? { effort: think }
          : undefined,
    write: writeThink,
  }),
  LOGPROBS,
]

const EFFORTS: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'high', max: 'high' }

function writeThink({ effort, budgetTokens }: ReasoningSettings, { report }: Spelling): Fields {
  if (effort === undefined) {
    if (budgetTokens !== undefined)
      report(
        'setting-changed',
        `The budget of ${budgetTokens} tokens for thinking is left out, and the model thinks: '${NAME}' has no budget.`,
      )
    return budgetTokens === undefined ? {} : { think: true }
  }
  if (effort === 'none') return { think: false }
  const word = EFFORTS[effort]
  if (word !== undefined)
    report('setting-changed', `The effort '${effort}' is sent as '${word}': '${NAME}' does not have it.`)
  return { think: word ?? effort }
}
