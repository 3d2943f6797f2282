import type { StoredType } from '../tables.ts'

/**
 * Types that only includes of sets in /v1 show, with the type whose records they are: clients of a hosted service look for a set's
 * parent, children, cards and sources under these (decisions.md §21).
 */
const shownAs = {
  parentset: 'sets',
  subsets: 'sets',
  checklist: 'cards',
  'set-sources': 'set_sources',
} as const satisfies Record<string, StoredType>

type ShownType = keyof typeof shownAs
export const shownTypes = Object.keys(shownAs) as ShownType[]

/** Whether records of a type are only shown as it. */
export const isShownType = (type: string | undefined): type is ShownType => type !== undefined && type in shownAs

/** The type that records of this one are stored as. */
export const storedTypeOf = (type: string): string => (isShownType(type) ? shownAs[type] : type)
