/**
 * Speaks a recorded turn as it comes: text for people and nothing else, a sentence at a time. With espeak-ng on
 * the machine it speaks into a WAV file, which SPEECH_FILE may name.
 */

import { spawn, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SluiceEvent, sluice } from 'sluice'
import { speak } from 'sluice/blocks'
import { functionCalls } from 'sluice/dialects'
import { parseRecording, replay } from 'sluice/recording'

// The turn has two responses: the first asks for a tool, the second answers with what the tool gave.
const responses = [
  `{"sluice-recording":1,"kind":"text","dialect":"function-calls"}
[0,"<thin"]
[20,"king>Dr. Lee asks for the rain. I need the forecast.</thinking>Good morn"]
[40,"ing, Dr. Lee. Let me look it up"]
[60,".\\n<function_calls>\\n<invoke name=\\"forecast\\">\\n<parameter name=\\"city\\">Bern</para"]
[80,"meter>\\n</invoke>\\n</function_calls>"]`,
  `{"sluice-recording":1,"kind":"text","dialect":"function-calls"}
[0,"It will rain 3."]
[20,"5 millimetres. Take an umbrella, e.g. the red one"]
[40,"!\\n\\n\`\`\`sh\\ncurl https://weather.example/bern\\n\`\`\`\\n\\nMore is on [the weather page]("]
[60,"https://weather.example/bern)."]`,
]

async function* turn(): AsyncGenerator<SluiceEvent> {
  for (const response of responses) {
    const recording = parseRecording(response)
    if (recording.kind !== 'text') continue
    for await (const event of sluice(replay(recording, { speed: 'instant' }), { dialect: functionCalls })) {
      if (event.type === 'error') console.error(event.error.message)
      yield event
    }
  }
}

const isThere = spawnSync('espeak-ng', ['--version']).status === 0
const file = process.env.SPEECH_FILE ?? join(tmpdir(), 'sluice-speech.wav')
const voice = isThere ? spawn('espeak-ng', ['-w', file], { stdio: ['pipe', 'ignore', 'ignore'] }) : undefined

for await (const sentence of speak(turn(), { code: 'summarise', links: 'summarise' })) {
  const words = sentence.trim()
  console.log(words)
  voice?.stdin.write(`${words}\n`)
}

if (voice !== undefined) {
  const spoken = new Promise((resolve) => voice.on('close', resolve))
  voice.stdin.end()
  await spoken
}
