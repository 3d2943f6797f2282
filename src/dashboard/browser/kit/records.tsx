import { at } from './settings.ts'

/** The types of records that pages name, with their singular names. */
export const nouns = {
  players: 'player',
  teams: 'team',
  sets: 'set',
  cards: 'card',
  brands: 'brand',
  manufacturers: 'manufacturer',
  genres: 'genre',
  years: 'year',
  attributes: 'code',
} as const

export type RecordType = keyof typeof nouns

export const isRecordType = (type: string): type is RecordType => Object.hasOwn(nouns, type)

const places: Record<string, (id: string) => string> = {
  players: (id) => `/players/${id}`,
  teams: (id) => `/teams/${id}`,
  cards: (id) => `/cards/${id}`,
  sets: (id) => `/sets/${id}`,
  genres: (id) => `/sets?genre=${id}`,
  years: (id) => `/sets?year=${id}`,
}

/** The URL path of a record's page. Undefined for types without pages. */
export const placeOf = (type: string, id: string) => {
  const place = Object.hasOwn(places, type) ? places[type] : undefined
  return place && at(place(id))
}

/** A record's name, linked to its page if it has one. */
export const RecordLink = ({ type, id, name }: { type: string; id: string; name: string }) => {
  const href = placeOf(type, id)
  return href ? <a href={href}>{name}</a> : <bdi>{name}</bdi>
}
