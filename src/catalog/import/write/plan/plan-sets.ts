import type { Database } from '../../../../../db/client.ts'
import { conflict } from '../../../../jsonapi/errors.ts'
import type { Curated, SetPlan, SetRecord, SetState } from '../../../write/record.ts'
import { blankSet, sameSet } from '../../../write/set/rows.ts'
import type { SetItem } from '../../read/item.ts'
import { type FieldOutcome, keepSet, noOutcome, type Says } from '../curated-fields.ts'
import { findBesides } from '../find/base-sets.ts'
import { findFullNamed } from '../find/full-named.ts'
import { beginFullNames, type FullName } from '../find/full-names.ts'
import type { Evidence, Pair } from '../find/same-cards.ts'
import { type FoundSet, findSets, isFirstYear, mayBeOne, meantSet, placeBeside, pretendedSets } from '../find/sets.ts'
import { type Told, type Which, whichSet } from '../find/which-set.ts'
import type { Known } from '../lookup-cache.ts'
import { namedId } from '../names.ts'
import type { Part } from '../run/chunk-context.ts'
import { findMerged, type PlacedSets, type Session } from '../session.ts'
import { hasLabelId, type Label, type LabelType } from './labels.ts'

/** A set of a wave with its plan, and what happened to its curated fields when the plan last ran. */
type PlannedSet = {
  item: SetItem
  state: SetState
  plan: SetPlan
  word: FieldOutcome
  name: string
  merged?: string
  /** The set as it is once the plan ran. */
  after?: SetState
}

/** `asked` are sets that have to be compared with others first: then nothing else counts. `told` is for the report. */
export type Wave = {
  planned: PlannedSet[]
  refused: { item: SetItem; reason: string }[]
  postponed: SetItem[]
  told: { item: SetItem; told: Told }[]
  asked: Pair[]
}

/** Finds each set of a wave and plans it. If two items are or may be the same set, the second is postponed to the next wave. */
export const planWave = async (
  db: Pick<Database, 'sql'>,
  items: SetItem[],
  placed: PlacedSets,
  evidence: Evidence,
  { known, session }: Part,
) => {
  const wave: Wave = {
    ...{ planned: [], refused: [], postponed: [], told: [], asked: [] },
  }
  const given = items.flatMap((item) => item.id ?? [])
  const merged = await findMerged(db, session, given)
  const idOf = (item: SetItem) => item.id && (merged.get(item.id) ?? item.id)
  const coming = new Map<string, string>()
  const states = items.map((item) => {
    const parentId = item.parentKey ? (placed.get(item.parentKey)?.id ?? coming.get(item.parentKey)) : null
    if (parentId === undefined) throw conflict(noParent)
    const id = idOf(item)
    if (id) coming.set(item.key, id)
    return newState(item, parentId, known, session.publish)
  })
  const ids = items.flatMap((item) => idOf(item) ?? [])
  const stored = await findSets(db, items, ids)
  const changed = stored.map((set) => ({ ...set, ...known.pretendedChanges.get(set.id) }))
  const found = [...changed, ...pretendedSets(items, known.pretendedSets)]
  const parallels = items.flatMap((item, at) => {
    const state = states[at]
    return state?.parent_id && item.columnKind === 'parallel' ? { item, state, parentId: state.parent_id } : []
  })
  const besides = await findBesides(
    db,
    parallels.map(({ parentId }) => parentId),
    { known },
  )
  for (const { item, state, parentId } of parallels)
    state.parent_id = placeBeside(item, state, found, besides.get(parentId) ?? []) ?? parentId
  const taken = new Set<string>()
  const fresh: SetState[] = []
  const freshNames = beginFullNames()
  const clues = items.map((item, index) => {
    const state = states[index] as SetState
    const meant = idOf(item) ? undefined : meantSet(item, state, found)
    return { item, state, meant, name: fullNameOf(item, placed) }
  })
  const unknown = clues.flatMap(({ meant, name }) =>
    meant && !meant.set && meant.candidates.length === 0 ? [name] : [],
  )
  const fullNamed = await findFullNamed(db, unknown, known.pretendedChanges)
  const likeNames = (one: FullName) => [...(fullNamed.get(one) ?? []), ...known.pretendedFullNames.find(one)]
  for (const { item, state, meant, name } of clues) {
    const parts = meant?.parts?.map(({ id, name, year }) => ({ id, name, year, is: 'likely' as const })) ?? []
    const like = meant && !meant.set ? [...likeNames(name), ...parts] : []
    const which: Which = meant
      ? whichSet({ item, state, meant, like }, evidence)
      : { id: idOf(item) ?? '', name: item.name, year: null, isOtherName: false, told: [] }
    if ('candidates' in which) {
      wave.refused.push({ item, reason: sayCandidates(item, which.candidates) })
      continue
    }
    if ('asked' in which) {
      wave.asked.push(...which.asked.map((one) => ({ item, ...one })))
      continue
    }
    const id = 'id' in which ? which.id : Bun.randomUUIDv7()
    const isNew = 'isNew' in which
    if (taken.has(id) || (isNew && (fresh.some((each) => mayBeOne(each, state)) || freshNames.find(name).length > 0))) {
      wave.postponed.push(item)
      continue
    }
    taken.add(id)
    if (isNew) {
      fresh.push(state)
      freshNames.add(nameAsStored(item, placed), id)
    }
    wave.told.push(...which.told.map((told) => ({ item, told })))
    const mergedId = item.id ? merged.get(item.id) : undefined
    wave.planned.push(planSet(item, state, { ...which, id }, session, mergedId))
  }
  return wave
}

const sayCandidates = ({ name }: SetItem, candidates: FoundSet[]) => {
  const listed = candidates.slice(0, 10).map(({ id, year }) => (year ? `${id} (${year})` : id))
  const more = candidates.length > listed.length ? `, and ${candidates.length - listed.length} more` : ''
  const count = candidates.length === 1 ? 'A set is' : `${candidates.length} sets are`
  return `${count} called ${name.slice(0, 200)}: ${listed.join(', ')}${more}. Add its year or its parent set, or set_id.`
}

const planSet = (
  item: SetItem,
  said: SetState,
  { id, name = item.name, year = null, isOtherName = false }: { id: string } & Partial<Extract<Which, { id: string }>>,
  session: Session,
  merged: string | undefined,
): PlannedSet => {
  const { publish, overwrite } = session
  // The season that begins in a year goes before it.
  const state = isFirstYear(item.year, year) ? { ...said, year_id: null } : said
  const planned: PlannedSet = {
    ...{ item, state, merged, name, word: noOutcome() },
    plan: {
      id,
      change: (before, curated) => {
        if (!before) {
          planned.after = state
          return state
        }
        // The file's values are those of the merged set, not of the one it was merged into. Only publishing applies to both.
        const adopted = isAdopted(item, before)
        if (adopted) session.orphaned.add(id)
        const after = merged
          ? { ...before, ...(publish ? { status: 'published' as const } : {}) }
          : laidOver(
              before,
              isOtherName && !adopted
                ? besideStored(state, before, isFirstYear(year, item.year))
                : adopted || isRenamed(item, curated)
                  ? state
                  : { ...state, name: before.name },
              item,
              publish,
              curated,
            )
        planned.after = after
        if (overwrite || merged) return after
        const kept = keepSet(before, after, curated, saysOf(item, isOtherName && !adopted, adopted))
        planned.word = kept.word
        planned.after = kept.after
        return kept.after
      },
    },
  }
  return planned
}

/** Whether a set that stands alone is the parallel of a release in a file: it becomes that. */
export const isAdopted = (item: SetItem, before: SetRecord) =>
  item.columnKind === 'parallel' && item.parentKey !== null && before.parent_id === null

/** A set that an item names in another way keeps its own name and what tells it apart, but for the first year of a season that it says. */
const besideStored = (state: SetState, before: SetRecord, isSeason: boolean): SetState => ({
  ...state,
  name: before.name,
  parent_id: before.parent_id,
  year_id: isSeason ? state.year_id : (before.year_id ?? state.year_id),
  genre_id: before.genre_id ?? state.genre_id,
  brand_id: before.brand_id ?? state.brand_id,
  manufacturer_id: before.manufacturer_id ?? state.manufacturer_id,
})

const fullNameOf = ({ name, year, manufacturer, brand, genre, parentKey }: SetItem, placed: PlacedSets): FullName => ({
  ...{ name, year, manufacturer, brand, genre },
  above: (parentKey && placed.get(parentKey)?.fullName) || null,
})

/** The same with the stored name of the parent, as a later item finds it. */
export const nameAsStored = ({ parentKey, ...named }: SetItem, placed: PlacedSets): FullName => ({
  ...named,
  above: (parentKey && placed.get(parentKey)?.name) || null,
})

/** Whether a set takes an item's name: if the item has the set's id, or the name was curated. */
const isRenamed = (item: SetItem, curated: Curated | undefined) => item.id !== null || curated?.has('name') === true

/** Whether an item has a value for a set's field. One that it names in another way has its own name and parent. */
const saysOf =
  (item: SetItem, isOtherName: boolean, isAdopted: boolean): Says =>
  (field) => {
    if (isOtherName && (field === 'name' || field === 'parent_id')) return false
    const said: Record<string, unknown> = {
      ...{
        name: item.name,
        deleted: true,
        description: item.description,
        aliases: item.aliases,
        status: item.status,
        kind: item.unsaid?.includes('kind') && !isAdopted ? null : item.setKind,
      },
      ...{ release_date: item.releaseDate, genre_id: item.genre },
      parent_id: item.parentKey ?? (item.unsaid?.includes('parent') ? null : item.id),
      ...{ year_id: item.year, brand_id: item.brand, manufacturer_id: item.manufacturer },
    }
    return (said[field] ?? null) !== null
  }

const liveId = (id: string | null, { merged }: Known) => (id && merged.get(id)) || id

const newState = (item: SetItem, parentId: string | null, known: Known, publish: boolean): SetState => {
  const label = (type: LabelType, member: Label) =>
    hasLabelId(item, member, known)
      ? liveId(item.labelIds?.[member] ?? null, known)
      : item[member]
        ? (namedId(known, type, item[member]) ?? null)
        : null
  return {
    ...blankSet,
    name: item.name,
    description: item.description,
    aliases: item.aliases ?? null,
    status: publish ? 'published' : (item.status ?? 'draft'),
    kind: item.setKind ?? 'base',
    release_date: item.releaseDate,
    genre_id: label('genres', 'genre'),
    year_id: label('years', 'year'),
    brand_id: label('brands', 'brand'),
    manufacturer_id: label('manufacturers', 'manufacturer'),
    parent_id: parentId,
    deleted: item.deleted,
  }
}

/** The item's values over the stored ones. What it doesn't specify stays, and so do the makers of a set that is found by its parent. */
const laidOver = (
  before: SetRecord,
  state: SetState,
  item: SetItem,
  publish: boolean,
  curated: Curated | undefined,
): SetState => {
  const maker = (fact: 'brand_id' | 'manufacturer_id') =>
    item.id || state.parent_id === null || curated?.has(fact)
      ? (state[fact] ?? before[fact])
      : (before[fact] ?? state[fact])
  const next: SetState = {
    ...before,
    ...{ name: state.name, deleted: state.deleted },
    parent_id: item.id && !item.unsaid?.includes('parent') ? state.parent_id : (state.parent_id ?? before.parent_id),
    description: item.description ?? before.description,
    status: publish ? 'published' : (item.status ?? before.status),
    kind: isAdopted(item, before) ? 'parallel' : ((item.unsaid?.includes('kind') ? null : item.setKind) ?? before.kind),
    release_date: item.releaseDate ?? before.release_date,
    aliases: item.aliases === undefined ? before.aliases : item.aliases,
    genre_id: state.genre_id ?? before.genre_id,
    year_id: state.year_id ?? before.year_id,
    brand_id: maker('brand_id'),
    manufacturer_id: maker('manufacturer_id'),
  }
  return sameSet(before, next) ? before : next
}

export const noParent = 'The parent set could not be written.'
