import { arrayOfTexts } from '../../../../db/arrays.ts'
import type { Database, Transaction } from '../../../../db/client.ts'
import { restateCurated } from '../../write/history/curated.ts'
import { following, followSet, leadsOfSets } from '../../write/history/merged.ts'
import type { Outcome, SetState } from '../../write/record.ts'
import { writeSets } from '../../write/set/write.ts'
import type { NoteItem, SetItem } from '../read/item.ts'
import { withoutBase } from '../read/names/alike.ts'
import { genreKey, genreSpellings } from '../read/names/genres.ts'
import type { Point } from './checkpoint.ts'
import type { KeptField } from './curated-fields.ts'
import { planSetsOnly } from './dry/sets.ts'
import { isNamed, placeBases, waveKeyOf } from './find/base-sets.ts'
import { callSets } from './find/called-sets.ts'
import { beginEvidence, type Evidence, type Samples } from './find/same-cards.ts'
import { nameKept } from './kept-names.ts'
import type { Known } from './lookup-cache.ts'
import { ensureLabels } from './plan/labels.ts'
import { noParent, planWave, type Wave } from './plan/plan-sets.ts'
import { countedAs } from './plan/row.ts'
import { addFault, addKept, addNote } from './report.ts'
import { writeTogether } from './run/bisect-rows.ts'
import type { Part } from './run/chunk-context.ts'
import { type Doubt, enterImport, hasMerges, makeAlone, noteMade, type PlacedSets, writerOf } from './session.ts'

/** The sets so far, the first cards of this part's, and what resolves once all that is being written is. */
type World = { placed: PlacedSets; samples: Samples; settled: () => Promise<void> }

/**
 * Writes sets in waves and remembers their ids by key. A wave has the sets whose parents exist, or have an id and come earlier in
 * the wave, so the sets of exports and releases are created in the order of their lines. If several files begin the same set, the
 * second one finds it in the next wave.
 */
export const ensureSets = async (db: Database, items: SetItem[], world: World, part: Part, point: Point) => {
  const { placed } = world
  const evidence = beginEvidence()
  await nameGenres(db, items, part.known)
  await ensureLabels(db, items, part)
  let waiting = items
  while (waiting.length > 0) {
    const coming = new Map<string, string>()
    const keys = new Set<string>()
    const ready = waiting.filter((item) => {
      const isReady = !item.parentKey || placed.has(item.parentKey) || coming.has(item.parentKey)
      const key = waveKeyOf(item, placed)
      if (!isReady || keys.has(key)) return false
      keys.add(key)
      if (item.id) coming.set(item.key, item.id)
      return true
    })
    if (ready.length === 0) break
    const now = new Set(ready)
    const inPlace = await placeBases(db, ready, placed, part)
    waiting = waiting.filter((item) => !now.has(item))
    await writeTogether(
      ready.filter((item) => !inPlace.has(item)),
      async (wave) => {
        waiting.push(...(await writeWave(db, wave, { ...world, evidence }, part, point)))
      },
      (item, reason) => refuse(item, reason, part, point),
    )
  }
  for (const item of waiting) refuse(item, part.known.refusedSets.get(item.parentKey ?? '') ?? noParent, part, point)
}

/** Calls genres as the catalog does: as their rows do, if it has a genre of that very name, or else by another spelling that it has. */
const nameGenres = async ({ sql }: Pick<Database, 'sql'>, items: SetItem[], { genresByKey }: Known) => {
  const named = items.filter((item) => item.isNamedByCards && item.genre !== null)
  const spellings = new Map(
    named.map(({ saidGenre, genre }) => {
      const said = saidGenre ?? genre ?? ''
      return [said, [said, ...genreSpellings(said)]]
    }),
  )
  if (spellings.size === 0) return
  const rows = await sql<{ name: string }[]>`
    select w.name from unnest(${arrayOfTexts([...new Set([...spellings.values()].flat())])}::text[]) as w (name)
    where exists (select from genres g where g.name_key collate "C" = lower(w.name) collate "C" and g.audience >= 1)`
  const there = new Set(rows.map(({ name }) => name))
  for (const item of named) {
    const said = item.saidGenre ?? item.genre ?? ''
    const stored = spellings.get(said)?.find((name) => there.has(name))
    item.genre = stored ?? genresByKey.getOrInsert(genreKey(said), item.genre ?? said)
  }
}

/** Refuses a set. If it has no line of its own, its cards' rows are refused instead, for the same reason. */
const refuse = (item: SetItem, reason: string, { known, report }: Part, point: Point) => {
  known.refusedSets.set(item.key, reason)
  if (item.isNamedByCards || point.earlier.has(item)) return
  const { file, line, cells } = item
  report.sets.failed++
  addFault(report, { kind: 'fault', file, line, reason, cells })
}

/** Plans a wave and writes it. If cards have to be compared first, it does that, and plans again. */
const commitWave = async (
  db: Database,
  items: SetItem[],
  world: World & { evidence: Evidence },
  part: Part,
  point: Point,
): Promise<Wave & { outcomes: Outcome[] }> => {
  const { placed, evidence } = world
  for (;;) {
    const wave = part.session.isDry
      ? await planWave(db, items, placed, evidence, part).then(async (wave) => ({
          ...wave,
          outcomes: wave.asked.length > 0 ? [] : await planSetsOnly(db, wave.planned, world, part),
        }))
      : await enterImport(db, part.session, (tx) => writePlanned(tx, items, world, part, point))
    if (wave.asked.length === 0) return wave
    await world.settled()
    await evidence.gather(db, wave.asked, { ...world, part })
  }
}

/** Plans a wave and writes it, unless cards have to be compared first. */
const writePlanned = async (
  tx: Transaction,
  items: SetItem[],
  { placed, evidence }: World & { evidence: Evidence },
  part: Part,
  point: Point,
) => {
  const { session, now } = part
  await makeAlone(tx)
  const wave = await planWave(tx, items, placed, evidence, part)
  if (wave.asked.length > 0) return { ...wave, outcomes: [] }
  const leads = await leadsOfSets(tx, (await hasMerges(tx, session)) ? wave.planned.map(({ state }) => state) : [])
  const follow = (set: SetState) => followSet(set, leads)
  const plans = wave.planned.map(({ plan }) => following(plan, follow))
  const written = await writeSets(tx, plans, writerOf(session, now))
  const made = written.flatMap((one) => (countedAs(one) === 'created' ? [one.id] : []))
  await noteMade(tx, session, 'sets', made)
  const restated = wave.planned.flatMap(({ word }) => word.restated)
  await restateCurated(tx, restated)
  const done = wave.planned.map(({ item }, index) => ({
    item,
    outcome: { result: countedAs(written[index] as Outcome) },
  }))
  await point.keepSets(tx, done)
  return { ...wave, outcomes: written }
}

const writeWave = async (
  db: Database,
  items: SetItem[],
  world: World & { evidence: Evidence },
  part: Part,
  point: Point,
): Promise<SetItem[]> => {
  const { placed } = world
  const { report } = part
  const { planned, refused, postponed, told, outcomes } = await commitWave(db, items, world, part, point)
  for (const { item, reason } of refused) refuse(item, reason, part, point)
  await tell(
    db,
    told.filter(({ item }) => !point.earlier.has(item)),
    world,
    part,
  )
  const words = planned.map(({ word }) => word)
  await nameKept(db, 'sets', words)
  for (const [index, { item, state, plan, word, name, merged, after }] of planned.entries()) {
    const outcome = outcomes[index]
    if (!outcome || outcome.error) {
      refuse(item, outcome?.error?.errors[0]?.detail ?? 'The set could not be written.', part, point)
      continue
    }
    const counted = point.earlier.has(item) ? point.earlier.get(item) : countedAs(outcome)
    if (counted) report.sets[counted]++
    if (counted)
      for (const kept of [...word.kept, ...mergedInto(item, merged)])
        addKept(report, { type: 'sets', id: plan.id, name: item.name, ...kept })
    const deleted = item.deleted || word.kept.some(({ field }) => field === 'deleted')
    const fullName = [item.parentKey && placed.get(item.parentKey)?.fullName, item.name].filter(Boolean).join(' ')
    const { file, parentKey } = item
    const storedGenreId = after?.genre_id ?? null
    const facts = { genreId: state.genre_id, year: yearOf(item.year), fullName, name, file, parentKey, storedGenreId }
    const doubt = after && doubtOf(item, after)
    if (doubt) part.session.doubtful.set(plan.id, doubt)
    const hasNoBases = doubt?.kind === 'parallel'
    placed.set(item.key, { id: plan.id, deleted, ...facts, ...(hasNoBases ? { hasNoBases } : {}) })
  }
  return postponed
}

/** What a file says of a set's kind that the set isn't. A Base that has a name of its own may be a parallel. */
const doubtOf = (item: SetItem, { kind, parent_id }: SetState): Doubt | undefined => {
  const said = item.columnKind ?? (isNamed(item) && withoutBase(item.name) !== item.name ? 'parallel' : null)
  if (!said || !parent_id || said === kind || kind === 'variation') return undefined
  return said === 'parallel' || kind === 'parallel' ? { item, kind: said, parentId: parent_id } : undefined
}

/** Reports which sets were decided or left open, by how these are called once all that comes before is written. */
const tell = async (db: Database, told: Wave['told'], { settled }: World, part: Part) => {
  if (told.length === 0) return
  await settled()
  const called = await callSets(
    db,
    told.flatMap(({ told: { ids } }) => ids),
    part,
  )
  for (const { item, told: one } of told) addNote(part.report, noteOf(item, one.say(called)))
}

const noteOf = ({ file, line }: SetItem, text: string): NoteItem => ({
  ...{ kind: 'note', file, line, rule: 'shared-set-name', text },
})

/** Reports that the import kept a merge, unless the line in the export is deleted as well. */
const mergedInto = ({ id, deleted }: SetItem, merged: string | undefined): KeptField[] =>
  merged && !deleted ? [{ field: 'merged_into', kept: merged, said: id, change: null }] : []

const yearOf = (text: string | null) => {
  const [year] = /\d{4}/.exec(text ?? '') ?? []
  return year ? Number(year) : null
}
