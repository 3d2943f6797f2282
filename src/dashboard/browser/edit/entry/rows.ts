import { get, post, Refused } from '../../kit/api.ts'
import type { Many, One, Resource } from '../../kit/documents.ts'
import { settlePerson } from '../naming/on-card.tsx'
import { type Listed, type Picked, settle, settleCodes } from '../naming/vocabulary.ts'

/** A row of a checklist as it is typed. Its id is that of the card to be, so that sending it twice makes one card. */
export type Draft = {
  id: string
  number: string
  player: Picked
  team: Picked
  codes: string
  title: string
  serial: string
}

export type Entered = { id: string; name: string; draft: Draft }

/** An empty row with a number. */
export const emptyRow = (number: string): Draft => ({
  ...{ id: newId(), number, player: { text: '' }, team: { text: '' } },
  ...{ codes: '', title: '', serial: '' },
})

/** A random UUID, also where a page came without TLS and browsers make none. */
const newId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte, place) => {
    const marked = place === 6 ? (byte & 15) | 64 : place === 8 ? (byte & 63) | 128 : byte
    return marked.toString(16).padStart(2, '0')
  })
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The number after one: `58` of `57`, `RC-10` of `RC-9`, `010` of `009`; nothing where it does not end in digits. */
export const numberAfter = (number: string): string => {
  const [, before = '', digits] = /^(.*?)(\d+)$/.exec(number.trim()) ?? []
  return digits ? `${before}${String(BigInt(digits) + 1n).padStart(digits.length, '0')}` : ''
}

/** The number after the last one in a set. */
export const numberToBegin = async (setId: string) => {
  const query = new URLSearchParams({ 'filter[set]': setId, sort: '-checklist', 'page[size]': '1' })
  const { data } = await get<Many<Resource<{ number: string | null }>>>(`/v2/cards?${query}`)
  return data[0] ? numberAfter(data[0].attributes.number ?? '') : '1'
}

/** Makes the card of a row, and whoever is new on it; throws Refused with the field that is at fault. */
export const enterRow = async (setId: string, draft: Draft): Promise<Entered> => {
  const { id, number, title, serial } = draft
  const player = await inField('player', () => settled('players', draft.player))
  const team = await inField('team', () => settled('teams', draft.team))
  const person = await settlePerson({ player, team })
  const codes = await inField('codes', () => settleCodes(draft.codes))
  const attributes = {
    ...{ number: number.trim() || null, title: title.trim() || null, serial_number: serial.trim() || null },
  }
  const relationships = {
    set: { data: { type: 'sets', id: setId } },
    oncard: { data: person ? [person] : [] },
    card_attributes: { data: codes },
  }
  const made = await post<One<Resource>>('/v2/cards', { data: { type: 'cards', id, attributes, relationships } }).catch(
    (error) => found(error, id),
  )
  return { id, name: String(made.data.attributes.name), draft }
}

const settled = async (type: Listed, { text, ...picked }: Picked): Promise<Picked> => {
  const id = await settle(type, { text, ...picked })
  return { text, ...(id ? { id } : {}) }
}

/** The card of a row whose answer was lost on the way: it is there already. */
const found = async (error: unknown, id: string) => {
  if (!(error instanceof Refused) || error.status !== 409) throw error
  return get<One<Resource>>(`/v2/cards/${id}`).catch(() => {
    throw error
  })
}

/** Tells which field a refusal is about. */
const inField = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 422) throw error
    throw new Refused(
      422,
      error.faults.map(({ detail }) => ({ detail, source: { pointer: `/${name}` } })),
    )
  }
}
