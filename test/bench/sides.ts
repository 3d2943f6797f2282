import { median } from './figures.ts'

/** What this build costs for each thing it does, as a share of what the older one costs (1 is the same), and the most it may. */
export type BeforeRow = { name: string; before: number; after: number; unit: string; ratio: number; bound: number }

/** The older build and this one. */
export const sides = ['before', 'after'] as const
export type Side = (typeof sides)[number]
export type Sides<T> = Record<Side, T>

/** The figures of both, one for each round. */
export const pairs = (): Sides<number[]> => ({ before: [], after: [] })

/** The one that goes first changes from round to round. */
export const inTurn = (round: number) => (round % 2 === 0 ? sides : sides.toReversed())

/** The medians of both sides' figures, and the median of the ratios of each round. */
export const rowOf = (name: string, { before, after }: Sides<number[]>, unit: string, bound: number): BeforeRow => ({
  ...{ name, unit, bound, before: median(before), after: median(after) },
  ratio: median(after.map((figure, at) => figure / (before[at] as number))),
})
