/** What a field accepts: words, comparisons, one of a list of values, or an id. */
type FieldTakes = 'words' | 'order' | 'choice' | 'id'

type Field = { takes: FieldTakes; also?: readonly string[]; about: string; example: string }

/** The fields of a query. The parser, the docs and the syntax page all read this table. */
export const searchFields = {
  player: { takes: 'words', about: 'a player on the card', example: 'player:"ken griffey"' },
  team: { takes: 'words', about: 'a team on the card', example: 'team:mariners' },
  set: { takes: 'words', about: 'the set, or any set above it', example: 'set:"upper deck"' },
  brand: { takes: 'words', about: 'the brand of the set', example: 'brand:topps' },
  manufacturer: {
    takes: 'words',
    also: ['maker'],
    about: 'the manufacturer of the set',
    example: 'manufacturer:panini',
  },
  genre: { takes: 'words', also: ['sport'], about: 'the genre of the set', example: 'genre:baseball' },
  year: { takes: 'order', about: 'the year of the set; a season counts as its first year', example: 'year:1986..1990' },
  number: { takes: 'order', also: ['no'], about: 'the card number, in checklist order', example: 'number:98T' },
  serial: { takes: 'order', about: 'the N of a serial number /N', example: 'serial:<=25' },
  title: { takes: 'words', about: 'the title of the card', example: 'title:leaders' },
  note: { takes: 'words', about: 'the notes of the card', example: 'note:error' },
  code: { takes: 'choice', about: 'an attribute, by its code', example: 'code:RC' },
  kind: { takes: 'choice', about: 'the kind of the set', example: 'kind:insert' },
  id: { takes: 'id', about: "an identifier from another catalog, or a record's id", example: 'id:tcdb:1234' },
} as const satisfies Record<string, Field>

export type FieldName = keyof typeof searchFields

type MarkOf = {
  /** Attribute codes, in lower case. */
  codes?: readonly string[]
  /** The kind of the set. */
  kind?: 'base' | 'parallel' | 'insert' | 'autograph' | 'variation'
  /** Words in the set's name. Several words must follow each other. */
  named?: readonly string[]
  /** The N of a serial number /N: any number, or this one. */
  serial?: 'any' | 1
  /** Words that stand for the mark without `is:`. */
  words?: readonly string[]
  about: string
}

const autographs = ['auto', 'autos', 'autograph', 'autographs', 'autographed', 'signature', 'signatures', 'signed']
const relics = ['relic', 'relics', 'patch', 'patches', 'jersey', 'jerseys', 'memorabilia', 'material', 'materials']

/** What `is:` finds: a code on the card, the kind of its set, or words in the set's name. */
export const searchMarks = {
  rookie: { codes: ['rc'], words: ['rookie', 'rookies', 'rooky'], about: 'a rookie card (RC)' },
  auto: {
    ...{ codes: ['au', 'cau'], kind: 'autograph', named: autographs },
    ...{ words: ['auto', 'autos', 'autograph', 'autographs', 'autographed', 'signed'], about: 'an autograph' },
  },
  relic: {
    ...{ codes: ['relic', 'mrelic', 'mem', 'gu', 'jsy'], named: relics },
    words: [
      ...['relic', 'relics', 'patch', 'patches', 'jersey', 'jerseys', 'memorabilia'],
      ...['game used', 'game worn', 'player worn'],
    ],
    about: 'a relic, patch, jersey or memorabilia card',
  },
  parallel: { kind: 'parallel', words: ['parallel', 'parallels'], about: 'a card of a parallel set' },
  insert: { kind: 'insert', words: ['insert', 'inserts'], about: 'a card of an insert set' },
  base: { kind: 'base', words: ['base'], about: 'a card of a base set' },
  variation: {
    ...{ codes: ['var'], kind: 'variation', named: ['variation', 'variations', 'variant', 'variants'] },
    ...{ words: ['variation', 'variations'], about: 'a variation' },
  },
  sp: {
    codes: ['sp'],
    named: ['short print', 'short prints', 'sps'],
    words: ['short print', 'short prints', 'sps'],
    about: 'a short print (SP)',
  },
  ssp: {
    codes: ['ssp'],
    named: ['super short print', 'super short prints', 'ssp'],
    words: ['ssp', 'ssps'],
    about: 'a super short print (SSP)',
  },
  numbered: { serial: 'any', about: 'a serial-numbered card' },
  '1of1': { serial: 1, about: 'a one of one' },
  checklist: { codes: ['cl', 'tcl'], named: ['checklist', 'checklists'], about: 'a checklist' },
} as const satisfies Record<string, MarkOf>

export type MarkName = keyof typeof searchMarks

/** A mark with all its optional parts. */
export const markCalled = (name: MarkName): MarkOf => searchMarks[name]

/** What `has:` finds. */
export const searchHas = {
  image: { about: 'an image' },
  note: { about: 'a note' },
  player: { about: 'a player' },
  team: { about: 'a team' },
} as const satisfies Record<string, { about: string }>

export type HasName = keyof typeof searchHas

/** What `order:` and the `sort` parameter accept. */
export const searchOrders = {
  relevance: { about: 'best match first; the default' },
  year: { about: 'oldest year first' },
  '-year': { about: 'newest year first' },
  name: { about: 'by name' },
  number: { about: 'by card number' },
  newest: { about: 'most recently added first' },
} as const satisfies Record<string, { about: string }>

export type OrderName = keyof typeof searchOrders

/** The comparison signs that may follow a field's name. */
export const searchComparisons = ['!=', '<=', '>=', '<', '>', '='] as const

/** The signs and words of the language that are not fields. */
export const searchSigns = [
  { sign: 'word word', about: 'both words; OR is applied last', example: 'griffey rookie' },
  { sign: 'OR', about: 'one or the other', example: 'jordan OR pippen' },
  { sign: '( )', about: 'a group of terms', example: '1983 topps (gwynn or boggs)' },
  { sign: '-', about: 'not this term or group', example: 'griffey -is:rookie' },
  { sign: '"…"', about: 'these words, in this order', example: '"upper deck"' },
  { sign: '!"…"', about: 'the whole name; for a card, the name shown', example: '!"frank thomas"' },
  { sign: 'word*', about: 'the beginning of a word', example: 'griff*' },
  { sign: '#', about: 'a card number; no. and nr work too', example: '1987 topps #320' },
  { sign: '/', about: 'a print run; numbered to, 1/1 and one of one work too', example: 'judge /25' },
  { sign: "'", about: 'a year by its last two digits', example: "griffey '89" },
] as const
