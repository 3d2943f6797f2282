import { arrayOfTexts } from '../../../db/arrays.ts'
import type { Database, Transaction } from '../../../db/client.ts'
import { cursorFrom } from '../../catalog/sync/feed/place.ts'
import type { Context } from '../../context.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { type Origin, writeOrigin } from '../../lib/origin.ts'
import { type Pending, writeBody } from '../deliveries/delivery.ts'
import { type EventName, events, levelFor } from './events.ts'

/** What a webhook hears, and the place in the feed up to which it was told. */
export type Listener = {
  id: string
  operator: boolean
  events: string[]
  changes_from: string
  events_from: string
  events_taken: number
  changes_told_at: string | null
}

/** `catalog.changed` is told at most once in this time. */
const changesEverySeconds = 1

/** The process that sends to a webhook. What it writes at about the same time, it writes in one transaction. */
export type Sender = { holder: string; write: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T> }

/** What happened next: an event with its data and the webhook's place behind it, or only that place. */
type Next = {
  event?: { name: EventName; data: object; origin: Origin | null }
  place: Partial<Pick<Listener, 'changes_from' | 'events_from' | 'events_taken'>>
}

/**
 * Notes the next event that a webhook wasn't told of as a delivery, in the feed's order, together with the webhook's place behind
 * it. Undefined if there is none, or none yet: `catalog.changed` waits for its time.
 */
export const noteNext = async (
  context: Context,
  listener: Listener,
  { holder, write }: Sender,
  now: Date,
): Promise<Pending | undefined> => {
  const { event, place } = await findNext(context, listener)
  const isChange = event?.name === 'catalog.changed'
  const mayTellAt = listener.changes_told_at && secondsAfter(new Date(listener.changes_told_at), changesEverySeconds)
  const waits = isChange && mayTellAt && mayTellAt > now
  const at = now.toISOString()
  const moved = {
    ...{ changes_from: null, events_from: null, events_taken: null, ...(waits ? {} : place) },
    ...{ due_at: waits ? mayTellAt.toISOString() : null, told_at: isChange && !waits ? at : null },
  }
  const told = event && !waits ? { ...event, body: writeBody(event.name, event.data, now) } : undefined
  const [pending] = await write(
    ({ sql }) => sql<Pending[]>`
    with moved as (
      update webhooks set changes_from = coalesce(${moved.changes_from}::bigint, changes_from),
        events_from = coalesce(${moved.events_from}::bigint, events_from),
        events_taken = coalesce(${moved.events_taken}::int, events_taken),
        changes_told_at = coalesce(${moved.told_at}::timestamptz, changes_told_at), due_at = ${moved.due_at}::timestamptz
      where id = ${listener.id} and holder = ${holder}::uuid
      returning id
    )
    insert into webhook_deliveries (id, webhook_id, event, body, in_order, created_at, origin)
    select ${Bun.randomUUIDv7()}::uuid, id, ${told?.name ?? ''}, ${told?.body ?? ''}, true, ${at}::timestamptz,
      ${writeOrigin(told?.origin ?? undefined)}::text::json
    from moved where ${told !== undefined}
    returning id, event, body, status, in_order, attempts, origin`,
  )
  return pending
}

const findNext = async (context: Context, listener: Listener): Promise<Next> => {
  const { last, change, event } = await look(context.db, listener)
  const end = String(Number(last) + 1)
  const { baseUrl } = context.config
  if (change !== null && (event === null || Number(change.no) <= Number(event.no))) {
    // A cursor from before what was swept meanwhile tells its reader that it has expired.
    const cursor = await cursorFrom(context, Number(listener.changes_from))
    const links = { changes: `${baseUrl}/v2/changes?${new URLSearchParams({ 'page[after]': cursor })}` }
    return {
      event: { name: 'catalog.changed', data: { cursor, links }, origin: change.origin },
      place: { changes_from: end },
    }
  }
  if (event === null) return { place: { changes_from: end, events_from: end, events_taken: 0 } }
  const { no, type, id, isLast, origin } = event
  const name = nameOf(type)
  const links = { self: `${baseUrl}${type === 'sets' ? '/v2' : '/internal'}/${type}/${id}` }
  return {
    event: { name, data: { type, id, links }, origin },
    place: isLast
      ? { events_from: String(Number(no) + 1), events_taken: 0 }
      : { events_from: no, events_taken: (no === listener.events_from ? listener.events_taken : 0) + 1 },
  }
}

const nameOf = (type: string) => {
  const [name] = Object.entries(events).find(([, from]) => from === type) ?? []
  if (!name) throw new Error(`No event comes from ${type}.`)
  return name as EventName
}

type Look = { last: string; change: NumberedChange | null; event: EventChange | null }
/** The number of a change, and the request that caused it. */
type NumberedChange = { no: string; origin: Origin | null }
type EventChange = NumberedChange & { type: string; id: string; isLast: boolean }

const looking = new WeakMap<Database, Map<string, Promise<Look>>>()

/** Webhooks that hear the same and were told as much share a look: hundreds of them are told of a change at the same time. */
const look = (db: Database, listener: Listener): Promise<Look> => {
  const { events_from, events_taken, changes_from } = listener
  const place = { events_from, events_taken, changes_from, level: levelFor(listener), heard: listener.events }
  const key = JSON.stringify(place)
  const looks = looking.getOrInsertComputed(db, () => new Map())
  return looks.getOrInsertComputed(key, () => lookFrom(db, place).finally(() => looks.delete(key)))
}

type Place = Pick<Listener, 'events_from' | 'events_taken' | 'changes_from'> & { level: number; heard: string[] }

/** The end of the feed, the first change that the webhook may hear of, and the first change that is an event of its own. */
const lookFrom = async ({ sql }: Database, place: Place): Promise<Look> => {
  const { events_from: from, events_taken: taken, changes_from, level, heard } = place
  const hearsChanges = heard.includes('catalog.changed')
  const types = heard.flatMap((name) => events[name as EventName] ?? [])
  const [found] = await sql<Look[]>`
    select f.last, case when ${hearsChanges} then (
      select json_build_object('no', no::text, 'origin', origin) from changes
      where no between ${changes_from}::bigint and f.last
        and greatest(audience_before, audience_after) >= ${level}::int
      order by no limit 1
    ) end as change, (
      select json_build_object(
        'no', no::text, 'type', type, 'id', ids[1 + taken], 'isLast', taken + 1 >= cardinality(ids), 'origin', origin
      )
      from (
        select no, type, ids, origin, case when no = ${from}::bigint then ${taken}::int else 0 end as taken from changes
        where no between ${from}::bigint and f.last and type = any(${arrayOfTexts(types)}::text::text[])
          and (type in ('imports', 'merges') or type = 'sets' and audience_before < 2 and audience_after = 2)
        order by no limit 1
      ) e
    ) as event
    from feed f`
  return found ?? { last: '0', change: null, event: null }
}
