/*
 * `tallies(list, id)` holds every maintained count: cards a player is on, cards with a number, sets of a genre, all
 * brands. `meta.total`, visibility, and the 409 of a DELETE come from it. `card_blocks` counts the cards of each 64
 * and each 4,096 sets, so that any page of the whole catalog is found without counting rows. The view `drift` compares
 * all of it with counts computed from the rows. It's empty after every test that writes, and `cardstock doctor` checks
 * it.
 */

import { Audience } from '../../lib/audience.ts'

/** The lists of records that `tallies` counts, each with its number in that table. */
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
 * Everything counted: lists of records, and cards by one of their values. `names` counts nothing: it locks names that must be unique.
 * Locks are taken in the order of these numbers, then by id.
 */
export const tallyNumbers = { ...lists, numbers: 4, serial_limits: 5, names: 30 } as const

export type TallyName = keyof typeof tallyNumbers

/** The id for the count of a whole list, which only a card may have. It sorts last, so that the busiest rows are locked last. */
export const everything = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The id for the count of records without a value. */
export const noValue = '00000000-0000-0000-0000-000000000000'

const groups = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

const hashId = (text: string) =>
  new Bun.CryptoHasher('md5').update(text).digest('hex').replace(groups, '$1-$2-$3-$4-$5')

/**
 * The id for the count of sets by kind, or of object attributes or identifiers by kind of object, as in `true_tallies`. It is none
 * that somebody would choose for a record.
 */
export const kindId = (kind: string): string => hashId(`kind ${kind}`)

/** The ids for the counts of sets by kind. */
export const setKindIds = {
  base: kindId('base'),
  parallel: kindId('parallel'),
  insert: kindId('insert'),
  autograph: kindId('autograph'),
  variation: kindId('variation'),
} as const

/** The id for the count of cards with a number, or without one. The view `true_tallies` does the same in SQL. */
export const numberId = (number: string | null): string => (number === null ? noValue : hashId(number))

/** The id for the count of identifiers of a source, also as in `true_tallies`. */
export const identifierSourceId = (source: string): string => hashId(source)

/** The id for the count of cards serial-numbered to a limit. */
export const serialLimitId = (limit: string): string => `${noValue.slice(0, 24)}${limit.padStart(12, '0')}`

/** The column of the count that a reader sees: all live records, or only published ones. */
export const countedAt = (level: number) => (level >= Audience.published ? 'published' : 'live')

/** How many records of a list belong to the record `t`, as a level sees them, in SQL. */
export const tallied = (list: number, level: number) =>
  `coalesce((select ${countedAt(level)} from tallies where list = ${list} and id = t.id), 0)`
