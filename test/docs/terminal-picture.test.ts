import { expect, test } from 'vitest'
import { drawTerminal } from '../../scripts/record-terminal.ts'
import { DEMO_TOOLS } from '../../src/apps/cli/demo-recording.ts'
import { TURN_RECORDING } from '../../src/apps/playground/recorded-answers.ts'

test('the moving picture in the README is what the terminal shows', async () => {
  const picture = await drawTerminal(TURN_RECORDING, DEMO_TOOLS)
  expect(picture).toContain('write_file')
  expect(picture.length).toBeLessThan(200_000)
  await expect(picture).toMatchFileSnapshot('../../docs/terminal.svg')
})
