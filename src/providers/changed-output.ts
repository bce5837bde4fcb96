/** An output with some of its methods changed, for a protocol that wraps the events of another one. */

import type { Output } from './output.ts'

export function changedOutput(out: Output, changed: Partial<Output>): Output {
  return {
    has: (channel) => out.has(channel),
    text: (delta, options) => out.text(delta, options),
    refusal: (delta, options) => out.refusal(delta, options),
    endText: (metadata) => out.endText(metadata),
    reasoning: (delta, options) => out.reasoning(delta, options),
    endReasoning: (metadata) => out.endReasoning(metadata),
    call: (delta) => out.call(delta),
    wholeCall: (call) => out.wholeCall(call),
    endCall: (key, how) => out.endCall(key, how),
    textCall: (delta) => out.textCall(delta),
    endTextCall: (key, isCut) => out.endTextCall(key, isCut),
    refuseCall: (key, reason) => out.refuseCall(key, reason),
    confirmCall: (key, name, args) => out.confirmCall(key, name, args),
    result: (result) => out.result(result),
    awaitApproval: (id) => out.awaitApproval(id),
    custom: (kind, value) => out.custom(kind, value),
    usage: (usage) => out.usage(usage),
    finish: (reason, rawReason) => out.finish(reason, rawReason),
    over: () => out.over(),
    metadata: (metadata) => out.metadata(metadata),
    error: (error) => out.error(error),
    unknown: (what, value, isBeside) => out.unknown(what, value, isBeside),
    unexpected: (message) => out.unexpected(message),
    ...changed,
  }
}
