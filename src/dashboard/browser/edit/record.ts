import { useContext, useEffect, useState } from 'preact/hooks'
import { Shown } from '../catalog/shown.ts'
import { asRefused, get, patch, type Refused } from '../kit/api.ts'
import type { Identifier, One, Resource } from '../kit/documents.ts'

/** The types of record that have a page. */
export type EditedType = 'cards' | 'sets' | 'players' | 'teams'

/** A record as it was last read, with what it refers to, and the tag of that state. */
export type Known = { record: Resource; included: Resource[]; tag: string }

/** What a change lays over a record. */
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

/** A record that is edited on a page. Its parts there share what is known of it, and hear of each change. */
type Edited = {
  type: EditedType
  id: string
  known: () => Known | undefined
  failure: () => Refused | undefined
  read: () => Promise<void>
  /** Writes changes, one after the other, if the record is still as it was last read; throws Refused (412 if it is not). */
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
    ...{ type, id, known: () => known, failure: () => failure },
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
 * The record of the page that is shown, which all its parts share. They appear once it `isReady`, all at the same time, so that
 * nothing moves away from under a finger afterwards.
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
