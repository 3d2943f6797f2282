import { get, post, Refused, remove } from '../../kit/api.ts'
import type { Many, One, Resource } from '../../kit/documents.ts'
import { deleteCard } from '../delete-card.tsx'
import { settlePerson } from '../naming/on-card.tsx'
import { type Listed, type Made, type Picked, settle, settleCodes } from '../naming/vocabulary.ts'

/** A checklist row as typed. Its id becomes the card's, so that sending it twice creates one card. */
export type Draft = {
  id: string
  number: string
  player: Picked
  team: Picked
  codes: string
  title: string
  serial: string
}

/** A row whose card exists, and the players and teams that were created for it. */
type Entered = { name: string; made: Made }

/** Whether nothing except its number is typed in a row. */
export const isUntouched = ({ player, team, codes, title, serial }: Draft) =>
  [player.text, team.text, codes, title, serial].every((text) => text.trim() === '')

/** An empty row with a number. */
export const emptyRow = (number: string): Draft => ({
  id: newId(),
  number,
  player: { text: '' },
  team: { text: '' },
  codes: '',
  title: '',
  serial: '',
})

/** A random UUID. Browsers can't make one on pages without TLS. */
const newId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte, place) => {
    const marked = place === 6 ? (byte & 15) | 64 : place === 8 ? (byte & 63) | 128 : byte
    return marked.toString(16).padStart(2, '0')
  })
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The next number: `57` gives `58`, `RC-9` gives `RC-10`, `009` gives `010`. Empty if it doesn't end in digits. */
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

/** Creates a row's card, and the players and teams that are new. Throws Refused, naming the bad field. */
export const enterRow = async (setId: string, draft: Draft): Promise<Entered> => {
  const { id, number, title, serial } = draft
  const made: Made = []
  const player = await inField('player', () => settled('players', draft.player, made))
  const team = await inField('team', () => settled('teams', draft.team, made))
  const person = await settlePerson({ player, team })
  const codes = await inField('codes', () => settleCodes(draft.codes))
  const attributes = {
    number: number.trim() || null,
    title: title.trim() || null,
    serial_number: serial.trim() || null,
  }
  const relationships = {
    set: { data: { type: 'sets', id: setId } },
    oncard: { data: person ? [person] : [] },
    card_attributes: { data: codes },
  }
  const card = await post<One<Resource>>('/v2/cards', { data: { type: 'cards', id, attributes, relationships } }).catch(
    (error) => found(error, id),
  )
  return { name: String(card.data.attributes.name), made }
}

const settled = async (type: Listed, picked: Picked, made: Made): Promise<Picked> => {
  const id = await settle(type, picked, made)
  return { text: picked.text, ...(id ? { id } : {}) }
}

/** Deletes a row's card, and what was created for it unless other records refer to it by now. */
export const takeBackRow = async (id: string, made: Made) => {
  await deleteCard(id)
  await Promise.all(made.map((one) => remove(`/v2/${one.type}/${one.id}`).catch(() => {})))
}

/** The card of a row that is already saved, because the answer got lost. */
const found = async (error: unknown, id: string) => {
  if (!(error instanceof Refused) || error.status !== 409) throw error
  return get<One<Resource>>(`/v2/cards/${id}`).catch(() => {
    throw error
  })
}

/** Adds the field to a refusal. */
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
