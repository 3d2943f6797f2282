import { useContext, useEffect, useState } from 'preact/hooks'
import { Shown } from '../catalog/shown.ts'
import { asRefused, get, patch, type Refused } from '../kit/api.ts'
import type { Identifier, One, Resource } from '../kit/documents.ts'

/** The types of record that have a page. */
export type EditedType = 'cards' | 'sets' | 'players' | 'teams'

/** A record as last read, with what it refers to, and that state's entity tag. */
export type Known = { record: Resource; included: Resource[]; tag: string }

/** What a change sets in a record. */
export type Changes = {
  attributes?: Record<string, unknown>
  relationships?: Record<string, { data: Identifier | Identifier[] | null }>
}

const includes: Record<EditedType, string> = {
  cards: '?include=set,oncard,oncard.player,oncard.team,card_attributes,images',
  sets: '?include=genre,year,brand,manufacturer,parent',
  players: '',
  teams: '',
}

/** A record edited on a page. The page's parts share its state and are notified of each change. */
type Edited = {
  type: EditedType
  id: string
  known: () => Known | undefined
  failure: () => Refused | undefined
  read: () => Promise<void>
  /** Writes changes, one after the other, if the record is still as last read. Throws Refused, with 412 if it isn't. */
  change: (changes: Changes) => Promise<void>
  hear: (listener: () => void) => () => void
}

const editRecord = (type: EditedType, id: string): Edited => {
  let known: Known | undefined
  let failure: Refused | undefined
  let last: Promise<unknown> = Promise.resolve()
  const listeners = new Set<() => void>()
  const path = `/v2/${type}/${id}`
  const inTurn = (work: () => Promise<void>) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn.finally(() => {
      for (const listener of listeners) listener()
    })
  }
  const fetchIt = async () => {
    let tag = ''
    const { data, included = [] } = await get<One<Resource>>(`${path}${includes[type]}`, {
      hear: (headers) => {
        tag = headers.get('etag') ?? ''
      },
    })
    known = { record: data, included, tag }
    failure = undefined
  }
  const failed = (error: unknown) => {
    failure = asRefused(error)
  }
  return {
    type,
    id,
    known: () => known,
    failure: () => failure,
    read: () => inTurn(() => fetchIt().catch(failed)),
    change: (changes) =>
      inTurn(async () => {
        await patch(path, { data: { type, id, ...changes } }, { headers: { 'If-Match': known?.tag ?? '*' } })
        await fetchIt().catch(failed)
      }),
    hear: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

let current: Edited | undefined

/**
 * The page's record, which all its parts share. They all appear at once when it `isReady`, so that nothing moves while the user
 * is clicking.
 */
export const useEdited = (): Edited & { isReady: boolean; reloadPage: () => void } => {
  const { value, reload } = useContext(Shown)
  const [type, id] = recordOn(value as PageValue)
  if (current?.type !== type || current.id !== id) current = editRecord(type, id)
  const edited = current
  const [, redraw] = useState(0)
  useEffect(() => {
    if (!edited.known()) void edited.read()
    return edited.hear(() => redraw((turn) => turn + 1))
  }, [edited])
  const isReady = edited.known() !== undefined || edited.failure() !== undefined
  return { ...edited, isReady, reloadPage: reload }
}

type PageValue = { card: { id: string } } | { subject: { id: string; type: EditedType } } | { set: { id: string } }

const recordOn = (value: PageValue): [EditedType, string] => {
  if ('card' in value) return ['cards', value.card.id]
  if ('subject' in value) return [value.subject.type, value.subject.id]
  return ['sets', value.set.id]
}
