import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Database, Transaction } from '../../../../db/client.ts'
import { numberKey } from '../../model/card-number.ts'
import { personName } from '../../model/person-name.ts'
import { tableOf } from '../../model/tables.ts'
import { writeEntities } from '../../write/entity/write.ts'
import { markImported } from '../../write/history/imported.ts'
import type { Columns, EntityType } from '../../write/record.ts'
import type { Entry } from '../read/item.ts'
import {
  addTeams,
  type Candidate,
  chooseAmong,
  type Folds,
  type Found,
  findRecords,
  foldOfNew,
  type NamedType,
  readCandidates,
} from './find/candidates.ts'
import { placeOf } from './find/cards.ts'
import { settleNames } from './find/corrected.ts'
import { beginCareer, type Known } from './lookup-cache.ts'
import type { Part } from './run/chunk-context.ts'
import { enterImport, findMerged, makeAlone, noteMade, type Standing, writerOf } from './session.ts'

/** Finds live entities by name and creates the missing ones, one for all spellings of a name. Returns how many it created. */
export const ensureNamed = async (
  db: Database,
  type: NamedType,
  wanted: Map<string, Columns>,
  part: Part,
): Promise<number> => {
  const { session } = part
  const folds: Folds = new Map()
  const missing = await lookUp(db, type, wanted, folds, part)
  if (missing.size === 0) return 0
  if (session.isDry) return pretend(type, missing, folds, part)
  return enterImport(db, session, (tx) => make(tx, type, missing, folds, part))
}

/** Finds live entities by name, and returns the names that nobody has. */
export const lookUp = async (
  db: Database,
  type: NamedType,
  wanted: Map<string, Columns>,
  folds: Folds,
  part: Part,
): Promise<Map<string, Columns>> => {
  const { known, session, now } = part
  const missing = new Map([...wanted].filter(([name]) => !isKnown(known, type, name)))
  if (missing.size === 0) return missing
  const { found, corrected } = await findRecords(db, type, [...missing.keys()], session, folds, known.exactCodes)
  await settleNames(db, type, corrected, missing, part)
  await learn(db, type, found, known)
  if (!session.isDry) await markImported(db, type, [...new Set([...found.values()].flat())], writerOf(session, now))
  for (const name of missing.keys()) if (isKnown(known, type, name)) missing.delete(name)
  return missing
}

/** Whether a name was looked up and found, or created. */
export const isKnown = (known: Known, type: NamedType, name: string) =>
  known.names[type].has(keyOf(type, name)) || severalOf(known, type, name) !== undefined

const severalOf = ({ several }: Known, type: NamedType, name: string) =>
  type === 'players' || type === 'teams' ? several[type].get(name) : undefined

/** Remembers the ids of names, and what tells players or teams with the same name apart. */
const learn = async (db: Pick<Database, 'sql'>, type: NamedType, found: Found, known: Known) => {
  if (type !== 'players' && type !== 'teams') {
    for (const [name, [id]] of found) if (id) known.names[type].set(keyOf(type, name), id)
    return
  }
  const shared = [...found].filter(([, ids]) => ids.length > 1)
  const candidates =
    shared.length > 0
      ? await readCandidates(
          db,
          type,
          shared.flatMap(([, ids]) => ids),
        )
      : new Map<string, Candidate>()
  if (type === 'players') await addTeams(db, candidates)
  for (const [name, ids] of found)
    if (ids.length === 1) known.names[type].set(name, ids[0] as string)
    else
      known.several[type].set(
        name,
        ids.flatMap((id) => candidates.get(id) ?? []),
      )
}

/** Gives ids to what an import would create, in a dry run. */
const pretend = (type: NamedType, missing: Map<string, Columns>, folds: Folds, { known, session }: Part) => {
  const pretended = known.pretended[type]
  const before = pretended.size
  for (const name of missing.keys()) {
    const fold = foldOfNew(type, folds.get(name) as string)
    const id = pretended.get(fold) ?? Bun.randomUUIDv7()
    pretended.set(fold, id)
    if (type !== 'players' && type !== 'teams' && !session.pretendedNames.has(id)) session.pretendedNames.set(id, name)
    known.names[type].set(keyOf(type, name), id)
  }
  return pretended.size - before
}

/** Creates one record for all spellings of a name, named as the first one. */
const make = async (
  tx: Transaction,
  type: NamedType,
  missing: Map<string, Columns>,
  folds: Folds,
  { known, session, now }: Part,
) => {
  await makeAlone(tx)
  const names = [...missing.keys()]
  const { found } = await findRecords(tx, type, names, session, folds, known.exactCodes)
  const open = names
    .filter((name) => !found.has(name))
    .map((name) => ({ name, fold: foldOfNew(type, folds.get(name) as string) }))
  const fresh = new Map<string, { id: string; columns: Columns }>()
  for (const { name, fold } of open)
    if (!fresh.has(fold)) fresh.set(fold, { id: Bun.randomUUIDv7(), columns: missing.get(name) as Columns })
  const plans = [...fresh.values()].map(({ id, columns }) => ({ id, change: () => ({ columns, deleted: false }) }))
  if (plans.length > 0) await writeEntities(tx, type, plans, writerOf(session, now)).catch(orAgain)
  const made = plans.map(({ id }) => id)
  await noteMade(tx, session, type, made)
  if (type === 'players') for (const id of made) known.careers.set(id, { ...beginCareer(true), isNew: true })
  await learn(tx, type, found, known)
  for (const { name, fold } of open) known.names[type].set(keyOf(type, name), fresh.get(fold)?.id as string)
  return fresh.size
}

/** If another writer just created the name, a new transaction finds it. */
const orAgain = (error: { code?: string }) => {
  throw error.code === '23505' ? Object.assign(new Error('a name was taken meanwhile'), { code: '40001' }) : error
}

/** Labels are unique regardless of case. For players, teams and codes, case matters. */
const keyOf = (type: NamedType, name: string) =>
  type === 'players' || type === 'teams' || type === 'attributes' ? name : name.toLowerCase()

/** The id that `ensureNamed` found or created. */
export const namedId = (known: Known, type: NamedType, name: string) => known.names[type].get(keyOf(type, name))

const placeOfName = ({ id = '', number = null }: Standing) => placeOf({ set_id: id, number })

/** Notes which namesakes are on the cards with a row's number already: a row that is there stays there. */
export const findOnCards = async (
  db: Pick<Database, 'sql'>,
  entries: (Entry & { standing: Standing })[],
  { known }: Part,
) => {
  if (known.several.players.size + known.several.teams.size === 0) return
  const asked = entries.filter(
    ({ player, team, standing }) =>
      standing.id &&
      standing.number &&
      ((player && severalOf(known, 'players', personName(player))) || (team && severalOf(known, 'teams', team))) &&
      !known.onCards.has(placeOfName(standing)),
  )
  if (asked.length === 0) return
  for (const { standing } of asked) known.onCards.set(placeOfName(standing), new Set())
  const rows = await db.sql<{ set_id: string; number: string; ids: (string | null)[] }[]>`
    select c.set_id, c.number, array[o.player_id, o.team_id] as ids
    from (
      select distinct set_id, number_key
      from unnest(${arrayOf(asked.map(({ standing }) => standing.id as string))}::uuid[],
        ${arrayOfTexts(asked.map(({ standing }) => numberKey(standing.number ?? null)))}::text[]) as n (set_id, number_key)
    ) n
    join cards c on c.set_id = n.set_id and c.number_key collate "C" = n.number_key collate "C" and c.deleted_at is null
    join oncard o on o.card_id = c.id`
  for (const { set_id, number, ids } of rows)
    for (const id of ids) if (id) known.onCards.get(placeOf({ set_id, number }))?.add(id)
}

/** Who a name means in a set, beside a team: an id, and all candidates if it's ambiguous. */
export const personOf = (
  known: Known,
  type: 'players' | 'teams',
  name: string,
  standing: Standing,
  teamId?: string,
) => {
  const several = known.several[type].get(name)
  if (!several) return { id: namedId(known, type, name), among: [] }
  const there = known.onCards.get(placeOfName(standing))
  const onCard = several.filter(({ id }) => there?.has(id))
  const ofTeam = teamId ? several.filter(({ teams }) => teams?.has(teamId)) : []
  const [likely = several] = [onCard, ofTeam].filter((some) => some.length > 0)
  const { id, isAmbiguous, among } = chooseAmong(likely, standing)
  return { id, among: isAmbiguous ? among : [] }
}

/** Looks up which ids exist, and what those of merged records redirect to. */
export const findIds = async (
  { sql }: Pick<Database, 'sql'>,
  type: EntityType,
  ids: Iterable<string>,
  { known, session }: Part,
) => {
  const missing = [...new Set(ids)].filter((id) => !known.ids.has(id))
  if (missing.length === 0) return
  const merged = await findMerged({ sql }, session, missing)
  for (const [id, into] of merged) known.merged.set(id, into)
  const rows = await sql<{ id: string; live: boolean }[]>`
    select id, audience >= 1 as live from ${sql(tableOf(type))}
    where id = any(${arrayOf([...missing, ...merged.values()])}::uuid[])`
  for (const { id, live } of rows) known.ids.set(id, live)
}
