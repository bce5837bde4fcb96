/**
 * Whether it is certain what the text that comes next belongs to. Once a call went wrong, what follows may be the rest
 * of its arguments, and a call that is found in them may be data that someone quoted:
 *
 *     <tool_call>{"name":"write","arguments":{"text":"say "hi" <tool_call>{"name":"rm"}</tool_call>"}}</tool_call>
 *                                                             ^ from here on no call is certain
 *
 * This never heals within a response, except that reasoning has an end of its own: a model that thinks about the
 * format and gets it wrong can still make the call that it means.
 */
export class Place {
  isUncertain = false
  /** What it was where the reasoning began that was not closed yet; null outside of reasoning. */
  private before: boolean | null = null

  openReasoning(): void {
    this.before = this.isUncertain
  }

  /** The closing marker of reasoning was found. */
  closeReasoning(): void {
    this.isUncertain = this.before ?? this.isUncertain
    this.before = null
  }

  /** `inReasoning`: what follows belongs to reasoning at most up to its closing marker. */
  lose(inReasoning: boolean): void {
    this.isUncertain = true
    if (!inReasoning) this.before = null
  }

  save(): PlaceState {
    return [this.isUncertain, this.before]
  }

  restore([isUncertain, before]: PlaceState): void {
    this.isUncertain = isUncertain
    this.before = before
  }
}

export type PlaceState = readonly [isUncertain: boolean, before: boolean | null]
