import type { Database } from '../../../../db/client.ts'
import type { Arguments } from '../../list/statement.ts'
import { recounted } from '../../write/counts/changes.ts'
import { titled } from '../../write/counts/title-words.ts'
import type { KnownCodes } from './known-codes.ts'
import { type KnownPeople, personTypes } from './known-people.ts'
import { type KnownSets, labelTypes } from './known-sets.ts'
import type { KnownTitles } from './known-titles.ts'
import {
  type CodeRow,
  type CountRow,
  codeOfRow,
  codesWhere,
  countsOfRows,
  type LabelRow,
  labelOfRow,
  labelsWhere,
  type PersonRow,
  personOfRow,
  type SetRow,
  selectCounts,
  selectPeople,
  setColumns,
  setOfRow,
} from './rows.ts'

/** What a process knows by name. The `version` is another one whenever that changes, except for the cards of sets. */
export type Known = { sets: KnownSets; people: KnownPeople; codes: KnownCodes; titles: KnownTitles; version: number }

let versions = 0
export const newVersion = () => ++versions

/** What is known, the last number of the feed that is in it, and the state of the catalog it had then, if known. */
export type Kept = Known & { no: number; state?: string }

/**
 * From how many changes, changed sets and labels, and changed people on everything is read again. Of how many changed cards sets are
 * looked up, and of how many people cards are counted at once.
 */
const most = { changes: 5000, moved: 5000, people: 50_000, cards: 1000, counted: 1000 }

/** The feed's last number, how many changes have none yet, and whether any concern what is known. `isMuch`: too much to follow. */
export type Look = { last: number; waiting: number; isMuch: boolean; isNews: boolean }

/** What happened since. */
type News = Pick<Look, 'last' | 'waiting' | 'isMuch'> & {
  moved: string[] | null
  sets: SetRow[] | null
  labels: LabelRow[] | null
  codes: CodeRow[] | null
  /** The players and teams that changed, and their rows if they still exist. */
  movedPeople: string[] | null
  people: PersonRow[] | null
  /** Players, teams and codes whose numbers of cards changed, and the numbers of the first of them. */
  recounted: string[] | null
  counted: CountRow[] | null
  /** New words of titles. */
  titleWords: string[] | null
  /** The sets of changed cards, with their numbers of cards. */
  counts: Count[] | null
  /** Whether more cards changed than were looked up. */
  areMore: boolean
  /** How many cards all sets have, if any cards changed. */
  cards: number | null
}

type Count = [id: string, cards: number]

const movedTypes = ['sets', 'attributes', ...labelTypes]
const inSql = (types: readonly string[]) => types.map((type) => `'${type}'`).join(', ')

/**
 * The changes after a number, and those that have none yet. Numbers have no gaps. With a lower bound alone, the planner expected a third
 * of the feed, and read all of it: 3.5 ms with 20,000 changes.
 */
const changesAfter = (after: string) => `numbered as materialized (
    select type, ids from changes where no > ${after} and no <= ${after} + ${most.changes} order by no
  ), waiting as materialized (
    select type, ids from changes where no is null order by noted_at, id limit ${most.changes}
  ), news as materialized (select type, ids from numbered union all select type, ids from waiting)`

/** The columns of a look. If a change is missing, because it was swept or the database was restored, there is too much to follow. */
const lookFrom = (after: string) => `f.last::float8 as last, (select count(*) from waiting)::int as waiting,
    (select count(*) from numbered) <> f.last - ${after} or (select count(*) from waiting) >= ${most.changes} as "isMuch"`

/** A select of a look at what the feed has after a number, as one JSON value. Most of the time, nothing is about what is known. */
export const selectLook = (no: number, args: Arguments): string => {
  const after = args.add(no, 'bigint')
  return `select row_to_json(n) from (
    with ${changesAfter(after)}
    select ${lookFrom(after)}, exists (select from news where type in (${inSql(['cards', ...movedTypes, ...personTypes, recounted, titled])})) as "isNews" from feed f
  ) n`
}

/** Reads what the feed has after a number, and what has no number yet, with what it is about as that is now. */
export const readNews = async ({ sql }: Database, no: number): Promise<News> => {
  const [news] = await sql.unsafe<[News]>(newsAfter, [no], { prepare: true })
  const more = news.isMuch ? [] : (news.recounted ?? []).slice(most.counted)
  if (more.length === 0) return news
  const rows = await sql.unsafe<{ one: CountRow }[]>(selectCounts('$1::uuid[]'), [`{${more}}`], { prepare: true })
  return { ...news, counted: [...(news.counted ?? []), ...rows.map(({ one }) => one)] }
}

const movedPeople = personTypes
  .map(
    (type) => `select p.one from (select distinct id from moved_people) m
      cross join lateral (${selectPeople(type, type)} and t.id = m.id offset 0) p`,
  )
  .join(' union all ')

const newsAfter = `
  with ${changesAfter('$1::bigint')}, moved as materialized (
    select unnest(ids) as id from news where type in (${inSql(movedTypes)}) limit ${most.moved}
  ), moved_people as materialized (
    select unnest(ids) as id from news where type in (${inSql(personTypes)}) limit ${most.people}
  ), recounted as materialized (
    select unnest(ids) as id from news where type = '${recounted}' limit ${most.people}
  ), titled as materialized (
    select unnest(ids) as id from news where type = '${titled}' limit ${most.people}
  ), changed as materialized (
    select unnest(ids) as id from news where type = 'cards' limit ${most.cards}
  ), seen as materialized (
    select ${lookFrom('$1::bigint')} from feed f
  )
  select s.last, s.waiting, s."isMuch" or (select count(*) from moved) >= ${most.moved}
      or (select count(*) from moved_people) >= ${most.people} or (select count(*) from recounted) >= ${most.people}
      or (select count(*) from titled) >= ${most.people} as "isMuch",
    (select json_agg(id) from moved) as moved,
    (select json_agg(s.one) from (select distinct id from moved) m
      cross join lateral (select ${setColumns} as one from sets s where s.id = m.id and s.audience > 0 offset 0) s) as sets,
    (select json_agg(one) from (${labelsWhere('t.id in (select id from moved)')}) l) as labels,
    (select json_agg(one) from (${codesWhere('t.id in (select id from moved)')}) c) as codes,
    (select json_agg(id) from moved_people) as "movedPeople",
    (select json_agg(p.one) from (${movedPeople}) p) as people,
    (select json_agg(id) from recounted) as recounted,
    (select json_agg(k.one) from (${selectCounts(`array(select id from recounted limit ${most.counted})`)}) k) as counted,
    (select json_agg(w.word) from title_words w where w.id in (select id from titled)) as "titleWords",
    (select json_agg(json_build_array(s.id, s.live_cards)) from (
      select distinct c.set_id as id from changed h
      cross join lateral (select c.set_id from cards c where c.id = h.id offset 0) c
    ) c cross join lateral (select s.id, s.live_cards from sets s where s.id = c.id offset 0) s) as counts,
    (select count(*) from changed) >= ${most.cards} as "areMore",
    case when exists (select 1 from changed)
      then (select coalesce(sum(live), 0) from card_blocks where level = 2) end::float8 as cards
  from seen s`

/** Applies what happened since. */
export const apply = async (db: Database, kept: Kept, news: News) => {
  const { sets, people, codes, titles } = kept
  for (const id of news.moved ?? []) {
    sets.drop(id)
    codes.drop(id)
  }
  for (const row of news.sets ?? []) sets.put(setOfRow(row))
  for (const row of news.labels ?? []) sets.put(labelOfRow(row))
  for (const row of news.codes ?? []) codes.put(codeOfRow(row))
  for (const id of news.movedPeople ?? []) people.drop(id)
  for (const row of news.people ?? []) people.put(personOfRow(row))
  const counts = countsOfRows(news.recounted ?? [], news.counted)
  people.recount(counts)
  codes.recount(counts)
  for (const word of news.titleWords ?? []) titles.put(word)
  if (news.moved || news.movedPeople || news.recounted || news.titleWords) kept.version = newVersion()
  recount(sets, news.counts)
  const isRight = !news.areMore && (news.cards === null || news.cards === cardsIn(sets))
  if (!isRight) recount(sets, await countAll(db))
  moveOn(kept, news)
}

type Seen = Pick<Look, 'last' | 'waiting'>

/** The state of the catalog as a number that grows with each commit. If it is unknown, the last number that was read. */
export const stateOf = (seen: Seen | Kept): number =>
  'waiting' in seen ? seen.last + seen.waiting : Number(seen.state ?? seen.no)

/** Whether what is known is from a later state of the catalog. */
export const isNewer = ({ state }: Kept, other: number) => state !== undefined && Number(state) > other

/** Notes that everything up to a look is known, unless more is. */
export const moveOn = (kept: Kept, seen: Seen) => {
  if (isNewer(kept, stateOf(seen))) return
  kept.no = seen.last
  kept.state = String(stateOf(seen))
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
