/**
 * How hard the property tests try. `npm test` takes a sample of every law, `npm run test:laws` sets the effort to 1, and
 * a longer hunt sets a higher effort or another seed:
 *
 *     SLUICE_SEED=7 SLUICE_EFFORT=20 npx vitest run test/laws -t qwen3-coder
 */

/** Fixed, so that a run can be repeated; fast-check prints it with every failure. */
export const SEED = Number(process.env.SLUICE_SEED ?? 20261115)

/** The share of the full number of runs. */
const EFFORT = Number(process.env.SLUICE_EFFORT ?? 0.05)

/** Everything is tried, and not a sample of it. */
export const isFull = EFFORT >= 1

/** With fewer runs, the texts of a dialect that refuses to render many messages would test nothing. */
const FEWEST_RUNS = 3

/** How many runs a property gets whose full number of runs is this. */
export function runs(full: number): number {
  return Math.max(Math.min(full, FEWEST_RUNS), Math.round(full * EFFORT))
}

/** From one place of many to the next that is tried. */
export const STRIDE = isFull ? 1 : 11

/** All of a long list, or where only a sample is taken, one in `every`, from the one at `first` on. */
export function sampleOf<T>(list: readonly T[], first = 0, every = 3): readonly T[] {
  return isFull ? list : list.filter((_, at) => at % every === first)
}
