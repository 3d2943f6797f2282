import type { Database, Queryable } from '../../../db/client.ts'
import { notFound } from '../../jsonapi/errors.ts'

/** How a card stands in a collection. */
export type Status = 'have' | 'want'

/** A card of a collection, as its account sees it. `card_id` is the card's id today, also if it was merged since. */
export type CollectedCard = {
  id: string
  card_id: string
  set_id: string
  status: Status
  quantity: number
  note: string | null
  created_at: string
  updated_at: string
}

/** Whose collection, and the lowest audience of the cards that they see. */
export type Owner = { userId: string; level: number }

/** An account's rows `own`, each with its card's id today, for the parameter $1. */
export const ownCards = `own as (
  select c.*, coalesce(case when r.id is not null then merged_into(c.card_id) end, c.card_id) as now_id
  from collection_cards c left join redirects r on r.id = c.card_id where c.user_id = $1
)`

/** The cards of rows `own` that are visible at a level. Others stay in the collection, and aren't shown. */
const seenAt = (level: number) =>
  `own join cards t on t.id = own.now_id and t.deleted_at is null join sets s on s.id = t.set_id and s.audience >= ${level}`

const columns = `own.id, own.now_id as card_id, t.set_id, own.status, own.quantity, own.note,
  to_char(own.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
  to_char(own.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at`

/** Which cards of a collection a list has. */
type Filter = { status?: string; setId?: string; cardId?: string }

/** A page of a collection, in the order in which its cards came, and how many there are. */
export const listCards = async (
  { heavy }: Database,
  { userId, level }: Owner,
  { status, setId, cardId }: Filter,
  span: { limit: number; offset: number },
): Promise<{ rows: CollectedCard[]; total: number }> => {
  const matching = `from ${seenAt(level)} where ($2::text is null or own.status = $2)
    and ($3::uuid is null or t.set_id = $3) and ($4::uuid is null or own.now_id = $4)`
  const values = [userId, status ?? null, setId ?? null, cardId ?? null]
  const [rows, [counted]] = await Promise.all([
    heavy.sql.unsafe<CollectedCard[]>(
      `with ${ownCards} select ${columns} ${matching} order by own.id limit $5 offset $6`,
      [...values, span.limit, span.offset],
      { prepare: true },
    ),
    heavy.sql.unsafe<{ total: number }[]>(`with ${ownCards} select count(*)::int as total ${matching}`, values, {
      prepare: true,
    }),
  ])
  return { rows: [...rows], total: counted?.total ?? 0 }
}

/** One of the collection's cards by its own id. 404 if there is none, or the catalog doesn't show the card at the moment. */
export const getCard = async ({ sql }: Queryable, { userId, level }: Owner, id: string): Promise<CollectedCard> => {
  const [found] = await sql.unsafe<CollectedCard[]>(
    `with ${ownCards} select ${columns} from ${seenAt(level)} where own.id = $2`,
    [userId, id],
    { prepare: true },
  )
  if (!found) throw notFound()
  return found
}

/** A set's cards in a collection, by status. */
export type MarksOfSet = { set_id: string } & Record<Status, string[]>

/** A text that is another one after each change of a collection. */
export const stateOf = async ({ sql }: Queryable, userId: string): Promise<string> => {
  const [found] = await sql<{ state: string }[]>`
    select concat(count(*), '-', (extract(epoch from max(updated_at)) * 1000)::bigint) as state
    from collection_cards where user_id = ${userId}`
  return found?.state ?? ''
}

/** The whole collection by sets, as ids alone. */
export const readCollectionMarks = async ({ heavy }: Database, { userId, level }: Owner): Promise<MarksOfSet[]> => {
  const idsOf = (status: Status) =>
    `coalesce(array_agg(own.now_id::text order by own.id) filter (where own.status = '${status}'), '{}') as ${status}`
  return [
    ...(await heavy.sql.unsafe<MarksOfSet[]>(
      `with ${ownCards} select t.set_id, ${idsOf('have')}, ${idsOf('want')} from ${seenAt(level)} group by t.set_id`,
      [userId],
      { prepare: true },
    )),
  ]
}

/** Changes one of the collection's cards. */
export const changeCard = (
  { sql }: Queryable,
  { userId }: Owner,
  id: string,
  { status, quantity, note, at }: { status?: Status; quantity?: number; note?: string | null; at: string },
) => sql`
  update collection_cards set status = coalesce(${status ?? null}, status), quantity = coalesce(${quantity ?? null}, quantity),
    note = case when ${note !== undefined} then ${note ?? null} else note end, updated_at = ${at}
  where id = ${id} and user_id = ${userId}`

/** Takes a card out of the collection, shown or not. 404 if it isn't in it. */
export const removeCard = async ({ sql }: Queryable, { userId }: Owner, id: string) => {
  const removed = await sql`delete from collection_cards where id = ${id} and user_id = ${userId} returning id`
  if (removed.length === 0) throw notFound()
}
