/** What a model is told about a call that does not run, with advice that gets it further. */

/** The model was told this before. */
export function withoutRepetition(message: string, times: number): string {
  return times < 2 ? message : `${message} This has now happened ${times} times: try something else.`
}

export const LIMIT_REACHED =
  'It was not run: no more tools may be used in this turn. Answer with what you know.'
export const STOPPED = 'It was not run: the turn was stopped.'
export const INTERRUPTED = 'It was not run to its end: the turn was stopped.'
export const RESPONSE_FAILED = 'It was not run: the response that it was part of failed.'
export const RESPONSE_FILTERED = 'It was not run: the response that it was part of was filtered.'
export const NOT_APPROVED = 'The user did not allow this call. Do not send it again; ask, or do without it.'
export const OTHER_CALL =
  'The call was not approved: the approval is for another call. Do without it, or send it again.'
export const ASKING_FAILED = 'The call was not approved, because the approval failed. Do without it.'
export const NOBODY_TO_ASK = 'It needs an approval, and no one can give it here. Do without it.'
export const NO_RESULT = 'The tool gave no result for this call.'
