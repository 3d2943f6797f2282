import type { Database } from '../../../../db/client.ts'
import { batched } from '../../../lib/batched.ts'
import { batchLimits } from '../../show/rows.ts'
import { type KnownName, type KnownSets, labelTypes, namesOf, newKnownSets } from './known-sets.ts'

/** The known sets, the last number of the feed that is in them, and the state of the catalog they had then, if known. */
type Kept = { sets: KnownSets; no: number; state?: string }

/**
 * The sets and labels of the catalog. The process remembers them, and each state of the catalog (docs/decisions/0008) that isn't the one
 * they were read in brings what the change feed has about them since. So they are never older than the request's admission.
 */
export const knownSets = async (db: Database, state: string | undefined): Promise<KnownSets> => {
  const one = keepers.getOrInsertComputed(db.shared, keeperOn)
  return state !== undefined && one.kept?.state === state ? one.kept.sets : one.follow(undefined)
}

type Keeper = { kept?: Kept; follow: (ask: undefined) => Promise<KnownSets> }

const keepers = new WeakMap<Database, Keeper>()

const keeperOn = (db: Database): Keeper => {
  const keeper: Keeper = {
    follow: batched(
      async (asks: undefined[]) => {
        keeper.kept = (keeper.kept && (await followed(db, keeper.kept))) ?? (await readAll(db))
        const { sets } = keeper.kept
        return asks.map(() => sets)
      },
      { ...batchLimits, atOnce: 1, most: 1000 },
    ),
  }
  return keeper
}

/** From how many changes on everything is read again, and how many changed cards are looked up. */
const most = { changes: 5000, cards: 1000 }

type SetRow = [
  ...[id: string, name: string, key: string, aliases: string | null, audience: number, no: number, kind: string],
  ...[parent: string | null, brand: string | null, manufacturer: string | null, genre: string | null],
  ...[year: string | null, cards: number, newest: number],
]
type LabelRow = [
  type: (typeof labelTypes)[number],
  ...[id: string, name: string, key: string, aliases: string | null, audience: number],
]

const setColumns = `json_build_array(s.id, s.name, s.name_key, s.aliases, s.audience, s.no, s.kind, s.parent_id, s.brand_id,
  s.manufacturer_id, s.genre_id, s.year_id, s.live_cards, (extract(epoch from s.created_at) * 1000)::float8)`

const setOfRow = ([id, name, key, aliases, audience, no, kind, parent, ...rest]: SetRow): KnownName => {
  const [brand_id, manufacturer_id, genre_id, year_id, cards, newest] = rest
  const names = { names: namesOf(name, aliases), hasAliases: aliases !== null }
  return {
    ...{ type: 'sets', id, name, key, ...names, audience, no, kind, parent },
    ...{ brand_id, manufacturer_id, genre_id, year_id, cards, newest },
  }
}

const labelOfRow = ([type, id, name, key, aliases, audience]: LabelRow): KnownName => ({
  ...{ type, id, name, key, audience, names: namesOf(name, aliases), hasAliases: aliases !== null },
})

/** A select of the visible labels that meet a condition. */
const labelsWhere = (condition: string) =>
  labelTypes
    .map(
      (type) => `select json_build_array('${type}', t.id, t.name, t.name_key, t.aliases, t.audience) as one
      from ${type} t where t.audience > 0 and ${condition}`,
    )
    .join(' union all ')

/** How many sets a statement reads. */
const setsAtOnce = 5000

const readAll = async (db: Database): Promise<Kept> => {
  const sets = newKnownSets()
  // Read first, so that whatever changes meanwhile is followed.
  const [feed] = await db.sql.unsafe<{ last: string }[]>('select last from feed')
  const labels = await db.sql.unsafe<{ one: LabelRow }[]>(labelsWhere('true'))
  for (const { one } of labels) sets.put(labelOfRow(one))
  for (let after = -1; ; ) {
    const [{ rows } = { rows: null }] = await db.sql.unsafe<{ rows: SetRow[] | null }[]>(
      `select json_agg(one) as rows from (
        select ${setColumns} as one from sets s where s.no > $1::int and s.audience > 0 order by s.no limit ${setsAtOnce}
      ) s`,
      [after],
      { prepare: true },
    )
    for (const row of rows ?? []) sets.put(setOfRow(row))
    if ((rows?.length ?? 0) < setsAtOnce) break
    after = rows?.at(-1)?.[5] ?? after
  }
  const kept = { sets, no: Number(feed?.last ?? 0) }
  return (await followed(db, kept)) ?? kept
}

type News = {
  last: number
  waiting: number
  isMuch: boolean
  moved: string[] | null
  sets: SetRow[] | null
  labels: LabelRow[] | null
  /** The sets of changed cards, with their numbers of cards. */
  counts: Count[] | null
  /** Whether more cards changed than were looked up. */
  areMore: boolean
  /** How many cards all sets have, if any cards changed. */
  cards: number | null
}

type Count = [id: string, cards: number]

/**
 * What the feed has after a number, and what has no number yet, with the sets and labels that it is about as they are now. It is much, too,
 * if a change is missing, because it was swept or the database was restored.
 */
const newsAfter = `
  with numbered as materialized (
    select type, ids from changes where no > $1::bigint order by no limit ${most.changes}
  ), waiting as materialized (
    select type, ids from changes where no is null order by noted_at, id limit ${most.changes}
  ), news as materialized (
    select type, ids from numbered union all select type, ids from waiting
  ), moved as materialized (
    select unnest(ids) as id from news where type in ('sets', '${labelTypes.join("', '")}') limit ${most.changes}
  ), changed as materialized (
    select unnest(ids) as id from news where type = 'cards' limit ${most.cards}
  )
  select f.last::float8 as last, (select count(*) from waiting)::int as waiting,
    (select count(*) from numbered) <> f.last - $1::bigint or (select count(*) from waiting) >= ${most.changes}
      or (select count(*) from moved) >= ${most.changes} as "isMuch",
    (select json_agg(id) from moved) as moved,
    (select json_agg(s.one) from (select distinct id from moved) m
      cross join lateral (select ${setColumns} as one from sets s where s.id = m.id and s.audience > 0 offset 0) s) as sets,
    (select json_agg(one) from (${labelsWhere('t.id in (select id from moved)')}) l) as labels,
    (select json_agg(json_build_array(s.id, s.live_cards)) from (
      select distinct c.set_id as id from changed h
      cross join lateral (select c.set_id from cards c where c.id = h.id offset 0) c
    ) c cross join lateral (select s.id, s.live_cards from sets s where s.id = c.id offset 0) s) as counts,
    (select count(*) from changed) >= ${most.cards} as "areMore",
    case when exists (select 1 from changed)
      then (select coalesce(sum(live), 0) from card_blocks where level = 2) end::float8 as cards
  from feed f`

/** Brings what happened since. Undefined if that is so much that everything is better read again. */
const followed = async (db: Database, { sets, no }: Kept): Promise<Kept | undefined> => {
  const [news] = await db.sql.unsafe<News[]>(newsAfter, [no], { prepare: true })
  if (!news || news.isMuch) return undefined
  for (const id of news.moved ?? []) sets.drop(id)
  for (const row of news.sets ?? []) sets.put(setOfRow(row))
  for (const row of news.labels ?? []) sets.put(labelOfRow(row))
  recount(sets, news.counts)
  const isRight = !news.areMore && (news.cards === null || news.cards === cardsIn(sets))
  if (!isRight) recount(sets, await countAll(db))
  return { sets, no: news.last, state: String(news.last + news.waiting) }
}

const recount = (sets: KnownSets, counts: Count[] | null) => {
  for (const [id, cards] of counts ?? []) {
    const set = sets.get(id)
    if (set?.type === 'sets') set.cards = cards
  }
}

const cardsIn = (sets: KnownSets) => {
  let cards = 0
  for (const set of sets.sets()) cards += set.cards
  return cards
}

/**
 * The numbers of cards of all sets. They are needed if some set now has fewer cards than is known, which only shows in the sum: of a card
 * that moved to another set, the feed doesn't say where it was.
 */
const countAll = async (db: Database): Promise<Count[] | null> => {
  const [row] = await db.sql.unsafe<{ counts: Count[] | null }[]>(
    'select json_agg(json_build_array(id, live_cards)) as counts from sets where audience > 0',
  )
  return row?.counts ?? null
}
