/** Questions about calls, one at a time. They are part of the screen, and nothing waits for them but the call itself. */

import type { Approval, ApprovalRequest } from '../../turn/turn-options.ts'
import { inOneLine } from './card-arguments.ts'
import { type Row, span } from './row.ts'

interface Question {
  readonly request: ApprovalRequest
  readonly answer: (approval: Approval) => void
  /** When it was first shown; null as long as it was not. */
  shownAt: number | null
}

/** A key that is pressed earlier than this after a question has come up was meant for something else. */
const LEAST_LOOK = 300

/** What is said to the model where nobody is there. */
const NOBODY = 'No one can approve the call here.'

export class Approvals {
  private readonly questions: Question[] = []
  private readonly onChange: () => void
  canBeAsked = false

  constructor(onChange: () => void) {
    this.onChange = onChange
  }

  ask(request: ApprovalRequest): Promise<Approval> {
    if (!this.canBeAsked) return Promise.resolve({ approved: false, reason: NOBODY })
    return new Promise((answer) => {
      const question: Question = { request, answer, shownAt: null }
      this.questions.push(question)
      request.signal.addEventListener('abort', () => this.settle(question, false), { once: true })
      this.onChange()
    })
  }

  get current(): ApprovalRequest | undefined {
    return this.questions[0]?.request
  }

  /** An answer to the question that is shown, once there was time to look at it. */
  answer(approval: Approval, now: number): void {
    const [question] = this.questions
    if (question?.shownAt == null || now - question.shownAt < LEAST_LOOK) return
    this.settle(question, approval)
  }

  /** Nobody will answer any more. */
  close(): void {
    for (const question of [...this.questions]) this.settle(question, false)
  }

  /** The question and its answers. Nothing that a model writes is shown in this style. */
  rows(now: number): Row[] {
    const { current } = this
    if (current === undefined) return []
    this.questions[0]!.shownAt ??= now
    const more = this.questions.length - 1
    const name = inOneLine(current.toolName)
    const guess = current.isGuess ? ' What it means was guessed.' : ''
    const others = more === 0 ? '' : ` (${more} more)`
    return [
      {
        gutter: span(' ? ', 'inverse'),
        spans: [
          span(
            ` Run ${name} ${shortened(current.input)}?${guess}${others}   y yes · n no · v view all of it `,
            'inverse',
          ),
        ],
      },
    ]
  }

  private settle(question: Question, approval: Approval): void {
    const index = this.questions.indexOf(question)
    if (index < 0) return
    this.questions.splice(index, 1)
    question.answer(approval)
    this.onChange()
  }
}

/** The beginning of what the tool would run with. */
function shortened(input: unknown): string {
  const text = inOneLine(JSON.stringify(input) ?? '')
  return text.length <= 60 ? text : `${[...text].slice(0, 59).join('')}…`
}
