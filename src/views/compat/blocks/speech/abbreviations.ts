/** Words whose full stop ends no sentence, in the languages that write them. */

/** Something always follows these: a name, a number, an example. */
const GO_ON = `
  mr mrs ms mx dr prof rev hon gen col capt lt sgt st mt ft messrs gov sen rep pres supt insp
  cf eg ie viz vs p v c fig figs eq eqs sec secs ch chap vol vols pp ed eds
  hr fr frl dipl ing bzw vgl ggf evtl sog zb abb bd kap hrsg
  mme mlle mgr cie env
  sr sra srta dña ud uds núm pág
  sig sigg dott avv
  dhr mevr nl bv
  г гг ул им рис стр тыс млн млрд проф акад
  np tzw prof inż mgr
`
/** These may be the last word of a sentence, too; what comes next decides. */
const MAY_END = `
  etc al inc ltd co corp bros no nos approx dept est jr ave blvd rd
  jan feb mar apr jun jul aug sep sept oct nov dec
  mon tue tues wed thu thur thurs fri sat sun
  usw usf ca min max std nr str
  др пр см itd itp
`

const words = (list: string): string[] => list.split(/\s+/).filter((word) => word !== '')
const goOn: ReadonlySet<string> = new Set(words(GO_ON))
const mayEnd: ReadonlySet<string> = new Set(words(MAY_END))

export type Abbreviation = 'goes-on' | 'may-end' | 'none'

/** What a word before a full stop says about it. `own`: abbreviations that the user knows besides these. */
export function abbreviation(word: string, own: ReadonlySet<string>): Abbreviation {
  const known = word.toLowerCase()
  if (own.has(known) || goOn.has(known)) return 'goes-on'
  return mayEnd.has(known) ? 'may-end' : 'none'
}
