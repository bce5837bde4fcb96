/** Rejects messages that no compiler has checked, such as those of an API. */

import { isFields } from '../../base/fields.ts'
import { checkOption, shown, wrongOption } from '../../base/options.ts'

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool'])
const PARTS: ReadonlySet<unknown> = new Set(['text', 'reasoning', 'call', 'result', 'file', 'custom'])

export function checkMessages(messages: unknown): void {
  checkOption('messages', messages, 'list')
  for (const [index, message] of (messages as readonly unknown[]).entries()) {
    const which = `Message ${index + 1}`
    if (!isFields(message) || !ROLES.has(message.role))
      throw wrongOption(`${which} has no role; it is system, user, assistant or tool.`)
    if (!Array.isArray(message.parts))
      throw wrongOption(
        `${which} has no 'parts'; write parts: [{ type: 'text', text: '…' }], or read the messages of an API with readRequest of 'sluice/requests'.`,
      )
    for (const part of message.parts as readonly unknown[])
      if (!isFields(part) || !PARTS.has(part.type))
        throw wrongOption(
          `A part of message ${index + 1} is text, reasoning, call, result, file or custom, not ${shown(isFields(part) ? part.type : part)}.`,
        )
  }
}
