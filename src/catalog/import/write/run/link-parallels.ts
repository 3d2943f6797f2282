import { arrayOf } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { counted } from '../../../../lib/counted.ts'
import { addEntries } from '../../../write/card/read.ts'
import { writeCards } from '../../../write/card/write.ts'
import type { CardPlan, CardRecord, SetRecord } from '../../../write/record.ts'
import { named } from '../dry/shown.ts'
import { isBase } from '../find/base-sets.ts'
import { type Based, findBases } from '../find/parents.ts'
import { addChange, addNote, type ImportReport } from '../report.ts'
import type { Session } from '../session.ts'
import { enterImport, writerOf } from '../session.ts'
import { writeTogether } from './bisect-rows.ts'

type World = {
  session: Session
  /** The sets in which the import made cards. */
  gained: Set<string>
  /** Whether to look at all of their parallels, since nobody knows which had cards without a parent. */
  all: boolean
  /** The sets that a dry run would make. */
  pretendedSets: SetRecord[]
  report: ImportReport
  now: () => Date
}

/** A set of parallels, and the sets with the cards that its cards are based on. */
type Parallel = { id: string; name: string; bases: string[] }
type Orphan = Based & { id: string; name: string; parallel: Parallel }

const setsInOne = 100
const cardsInOne = 500

/**
 * Gives cards of parallels that came before the cards that they are based on these as their parents, once the import has made them. What
 * somebody parted stays apart. The report counts them by their set. Doing it again changes nothing.
 */
export const linkParallels = async (db: Database, world: World) => {
  const parallels = await findParallels(db, world)
  for (let at = 0; at < parallels.length; at += setsInOne) {
    const some = parallels.slice(at, at + setsInOne)
    const ids = await findOrphans(db, some, world.session)
    const linked = new Map<Parallel, number>()
    for (let first = 0; first < ids.length; first += cardsInOne)
      for (const parallel of await linkSome(db, ids.slice(first, first + cardsInOne), some, world))
        linked.set(parallel, (linked.get(parallel) ?? 0) + 1)
    for (const [{ name }, count] of linked)
      addNote(world.report, {
        ...{ kind: 'note', file: '', line: 0, rule: 'parents-found' },
        text: `${name}: ${counted(count, 'card')}`,
      })
  }
}

/** The parallels of the sets that gained cards, in the order of their names. Cards of a release's Base are those of the release. */
const findParallels = async ({ sql }: Database, world: World): Promise<Parallel[]> => {
  const { session, gained, all, pretendedSets } = world
  if (gained.size + session.orphaned.size === 0) return []
  const own = pretendedSets.flatMap(({ id, parent_id }) => (session.orphaned.has(id) && parent_id ? parent_id : []))
  const above = await sql<{ parent_id: string }[]>`
    select distinct parent_id from sets where id = any(${arrayOf([...session.orphaned])}::uuid[]) and parent_id is not null`
  const asked = new Set([...gained, ...own, ...above.map(({ parent_id }) => parent_id)])
  const stored = await sql<Pick<SetRecord, 'id' | 'name' | 'parent_id'>[]>`
    select id, name, parent_id from sets where id = any(${arrayOf([...asked])}::uuid[])`
  const bases = new Map<string, string[]>()
  const add = (above: string, id: string) => bases.getOrInsertComputed(above, () => []).push(id)
  for (const { id, name, parent_id } of [...stored, ...pretendedSets.filter(({ id }) => asked.has(id))]) {
    add(id, id)
    if (parent_id && isBase(name)) add(parent_id, id)
  }
  const children = await sql<{ id: string; name: string; above: string }[]>`
    select id, name, parent_id as above from sets
    where parent_id = any(${arrayOf([...bases.keys()])}::uuid[]) and kind = 'parallel' and audience >= 1
      and (${all}::bool or created_at < ${session.began}::timestamptz or id = any(${arrayOf([...session.orphaned])}::uuid[]))`
  const pretended = pretendedSets.flatMap(({ id, name, kind, parent_id: above }) =>
    above && kind === 'parallel' && bases.has(above) && session.orphaned.has(id) ? [{ id, name, above }] : [],
  )
  const once = new Map([...children, ...pretended].map((one) => [one.id, one]))
  const isAsked = ({ id, above }: { id: string; above: string }) =>
    session.orphaned.has(id) || (bases.get(above) ?? []).some((base) => gained.has(base))
  return [...once.values()]
    .filter(isAsked)
    .map(({ id, name, above }) => ({ id, name, bases: bases.get(above) ?? [] }))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** The ids of cards of parallels without a parent that nobody parted from it, in a dry run also those that it would make. */
const findOrphans = async ({ sql }: Database, some: Parallel[], { pretendedCards }: Session): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select c.id from cards c
    where c.set_id = any(${arrayOf(some.map(({ id }) => id))}::uuid[]) and c.parent_id is null and c.number is not null
      and c.deleted_at is null
      and not exists (select from curated_fields f where f.object_id = c.id and f.field = 'parent_id')`
  const sets = new Set(some.map(({ id }) => id))
  const stored = rows.flatMap(({ id }) => (pretendedCards?.get(id)?.parent_id ? [] : id))
  return [...new Set([...stored, ...(pretendedCards?.orphansIn(sets) ?? [])])]
}

/** Links some cards, and returns the set of each one that has a parent now. */
const linkSome = async (db: Database, ids: string[], parallels: Parallel[], world: World): Promise<Parallel[]> => {
  const { session, now, report } = world
  const orphans = await readOrphans(db, ids, parallels, session)
  const asked = new Map(
    orphans.flatMap((one) => one.parallel.bases.map((set_id): [Based, Orphan] => [{ ...one, set_id }, one])),
  )
  const parents = new Map<Orphan, string>()
  for (const [based, id] of await findBases(db, [...asked.keys()], session)) {
    const orphan = asked.get(based)
    if (orphan && !parents.has(orphan)) parents.set(orphan, id)
  }
  if (session.isDry) {
    const changes = [...parents].flatMap(([{ id, name }, parent_id]) =>
      session.pretendedCards?.get(id)
        ? []
        : [{ type: 'cards', id, name, before: { parent_id: null }, after: { parent_id } }],
    )
    for (const change of await named(db, 'cards', changes, session)) addChange(report, change)
    return [...parents.keys()].map(({ parallel }) => parallel)
  }
  const linked: Parallel[] = []
  await writeTogether(
    [...parents],
    async (some) => {
      const plans = some.map(
        ([{ id }, parent_id]): CardPlan => ({
          id,
          change: (before) => {
            if (!before) throw new Error('A card no longer exists.')
            return before.deleted || before.parent_id ? before : { ...before, parent_id }
          },
        }),
      )
      const outcomes = await enterImport(db, session, (tx) => writeCards(tx, plans, writerOf(session, now())))
      for (const [at, { result }] of outcomes.entries())
        if (result === 'updated') linked.push(...(some[at] ? [some[at][0].parallel] : []))
    },
    () => {},
  )
  return linked
}

const readOrphans = async (
  db: Database,
  ids: string[],
  parallels: Parallel[],
  { pretendedCards }: Session,
): Promise<Orphan[]> => {
  const rows = await db.sql<Pick<CardRecord, 'id' | 'set_id' | 'number' | 'title' | 'name'>[]>`
    select id, set_id, number, title, name from cards where id = any(${arrayOf(ids)}::uuid[])`
  const stored = new Map(rows.map((row) => [row.id, { ...row, entries: [] }]))
  await addEntries(db, stored)
  const bySet = new Map(parallels.map((one) => [one.id, one]))
  return ids.flatMap((id) => {
    const card = pretendedCards?.get(id) ?? stored.get(id)
    const parallel = bySet.get(card?.set_id ?? '')
    return card && parallel ? [{ ...card, entries: card.entries as Based['entries'], parallel }] : []
  })
}
