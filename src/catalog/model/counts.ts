import { Audience } from '../../lib/audience.ts'

/** The lists of records that `tallies` counts, by the number that stands in the table. */
export const lists = {
  sets: 1,
  cards: 2,
  playerteams: 3,
  attributes: 10,
  brands: 11,
  genres: 12,
  manufacturers: 13,
  years: 14,
  players: 15,
  teams: 16,
  'object-attributes': 20,
  card_images: 21,
  set_sources: 22,
  identifiers: 23,
} as const

export type ListName = keyof typeof lists

/**
 * Everything counted: lists of records, and cards by one of their values; `names` counts nothing, but locks names that only one
 * may have. Locks are taken in the order of the numbers, then by id.
 */
export const tallyNumbers = { ...lists, numbers: 4, serial_limits: 5, names: 30 } as const

export type TallyName = keyof typeof tallyNumbers

/** The id that stands for the whole of a list; it sorts last, so that the busiest rows are locked last. */
export const everything = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The id for the count of records without a value. */
export const noValue = '00000000-0000-0000-0000-000000000000'

/** Object attributes and identifiers are also counted by kind of object, with an id for each kind. */
export const objectKindIds: Record<string, string> = {
  card: '00000000-0000-0000-0000-000000000001',
  set: '00000000-0000-0000-0000-000000000002',
  player: '00000000-0000-0000-0000-000000000003',
  team: '00000000-0000-0000-0000-000000000004',
  brand: '00000000-0000-0000-0000-000000000005',
  manufacturer: '00000000-0000-0000-0000-000000000006',
  genre: '00000000-0000-0000-0000-000000000007',
  year: '00000000-0000-0000-0000-000000000008',
}

/** The id for the count of sets of a kind. */
export const setKindIds = {
  base: '00000000-0000-0000-0000-000000000001',
  parallel: '00000000-0000-0000-0000-000000000002',
  insert: '00000000-0000-0000-0000-000000000003',
  autograph: '00000000-0000-0000-0000-000000000004',
  variation: '00000000-0000-0000-0000-000000000005',
} as const

/** The id for the count of cards with a number, or without one; the view `true_tallies` does the same in SQL. */
export const numberId = (number: string | null): string => (number === null ? noValue : hashId(number))

/** The id for the count of identifiers of a source; the view does the same. */
export const identifierSourceId = (source: string): string => hashId(source)

const hashId = (text: string) =>
  new Bun.CryptoHasher('md5').update(text).digest('hex').replace(groups, '$1-$2-$3-$4-$5')

const groups = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/** The id for the count of cards that are serial-numbered to a limit. */
export const serialLimitId = (limit: string): string => `${noValue.slice(0, 24)}${limit.padStart(12, '0')}`

/** Which of two counts a reader sees: all live records, or the published ones. */
export const countedAt = (level: number) => (level >= Audience.published ? 'published' : 'live')
