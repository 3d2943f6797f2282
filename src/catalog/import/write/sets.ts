import type { Database } from '../../../../db/client.ts'
import type { Agent } from '../../../audit/write.ts'
import { conflict } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import { enter } from '../../write/enter.ts'
import type { Columns, SetRecord, SetState } from '../../write/record.ts'
import { blankSet, sameSet } from '../../write/set/rows.ts'
import { writeSets } from '../../write/set/write.ts'
import type { SetItem } from '../read/item.ts'
import { ensureNamed, findIds, type Known, namedId } from './names.ts'
import type { Point } from './point.ts'
import { addFault, type ImportReport } from './report.ts'
import { writeTogether } from './together.ts'

/** The sets of this run, by their key. */
export type PlacedSets = Map<string, { id: string; deleted: boolean }>

type Options = { publish: boolean; now: Date; agent?: Agent; point: Pick<Point, 'earlier' | 'keepSets'> }

/**
 * Writes sets in waves and remembers their ids by key. A wave takes the sets whose parents exist, and those whose parents
 * have an id and come earlier in the wave; so the sets of exports and releases are made in the order of their lines. Several
 * files may begin the same set: the second one finds it in the next wave.
 */
export const ensureSets = async (
  db: Database,
  items: SetItem[],
  placed: PlacedSets,
  known: Known,
  report: ImportReport,
  options: Options,
) => {
  await ensureLabels(db, items, known, report, options.now)
  let waiting = items
  while (waiting.length > 0) {
    const coming = new Map<string, string>()
    const keys = new Set<string>()
    const ready = waiting.filter((item) => {
      const isReady = !item.parentKey || placed.has(item.parentKey) || coming.has(item.parentKey)
      if (!isReady || keys.has(item.key)) return false
      keys.add(item.key)
      if (item.id) coming.set(item.key, item.id)
      return true
    })
    if (ready.length === 0) break
    const now = new Set(ready)
    waiting = waiting.filter((item) => !now.has(item))
    await writeTogether(
      ready,
      (wave) => writeWave(db, wave, placed, known, report, options),
      (item, reason) => refuse(report, item, reason, options),
    )
  }
  for (const item of waiting) refuse(report, item, noParent, options)
}

const noParent = 'The parent set could not be written.'

const refuse = (report: ImportReport, item: SetItem, reason: string, { point }: Options) => {
  if (point.earlier.has(item)) return
  const { file, line } = item
  report.sets.failed++
  addFault(report, { kind: 'fault', file, line, reason })
}

const labels = [
  ['genres', 'genre'],
  ['years', 'year'],
  ['manufacturers', 'manufacturer'],
  ['brands', 'brand'],
] as const
type LabelType = (typeof labels)[number][0]
type Label = (typeof labels)[number][1]

const ensureLabels = async (db: Database, items: SetItem[], known: Known, report: ImportReport, now: Date) => {
  for (const [type, member] of labels) {
    await findIds(
      db,
      type,
      items.flatMap((item) => item.labelIds?.[member] ?? []),
      known,
    )
    const wanted = new Map<string, Columns>()
    for (const item of items)
      if (item[member] && !hasLabelId(item, member, known))
        wanted.set(item[member], type === 'years' ? { name: item[member] } : { name: item[member], description: null })
    report.labels += await ensureNamed(db, type, wanted, known, now)
  }
}

/** An export's label id counts where that label is live, or where a deleted set had it. */
const hasLabelId = ({ labelIds, deleted }: SetItem, label: Label, known: Known) => {
  const id = labelIds?.[label]
  const live = id ? known.ids.get(id) : undefined
  return live === true || (live === false && deleted)
}

const writeWave = (
  db: Database,
  items: SetItem[],
  placed: PlacedSets,
  known: Known,
  report: ImportReport,
  options: Options,
) =>
  enter(db, async (tx) => {
    const coming = new Map<string, string>()
    const states = items.map((item) => {
      const parentId = item.parentKey ? (placed.get(item.parentKey)?.id ?? coming.get(item.parentKey)) : null
      if (parentId === undefined) throw conflict(noParent)
      if (item.id) coming.set(item.key, item.id)
      return newState(item, parentId, known, options.publish)
    })
    const found = await findSets(tx, items, states)
    const taken = new Set<string>()
    const plans = items.map((item, index) => {
      const state = states[index] as SetState
      const same = found.filter((set) =>
        item.id ? set.id === item.id : !set.deleted && !taken.has(set.id) && sameIdentity(set, state),
      )
      const id = same[0]?.id ?? item.id ?? Bun.randomUUIDv7()
      taken.add(id)
      return {
        item,
        id,
        change: (before: SetRecord | undefined) => (before ? laidOver(before, state, item, options.publish) : state),
      }
    })
    const outcomes = await writeSets(tx, plans, { level: Audience.draft, now: options.now, agent: options.agent })
    const written = plans.map((plan, index) => ({ ...plan, outcome: outcomes[index] }))
    await options.point.keepSets(tx, written)
    return written
  }).then((written) => {
    for (const { item, id, outcome } of written) {
      if (!outcome || outcome.error)
        refuse(report, item, outcome?.error?.errors[0]?.detail ?? 'The set could not be written.', options)
      else {
        const counted = options.point.earlier.has(item) ? options.point.earlier.get(item) : outcome.result
        if (counted) report.sets[counted]++
        placed.set(item.key, { id, deleted: item.deleted })
      }
    }
  })

const newState = (item: SetItem, parentId: string | null, known: Known, publish: boolean): SetState => {
  const label = (type: LabelType, member: Label) =>
    hasLabelId(item, member, known)
      ? (item.labelIds?.[member] ?? null)
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

/** What the item says, over what is stored; where it says nothing, the stored value stays. */
const laidOver = (before: SetRecord, state: SetState, item: SetItem, publish: boolean): SetState => {
  const next: SetState = {
    ...before,
    ...{ name: state.name, parent_id: state.parent_id, deleted: state.deleted },
    description: item.description ?? before.description,
    status: publish ? 'published' : (item.status ?? before.status),
    kind: item.setKind ?? before.kind,
    release_date: item.releaseDate ?? before.release_date,
    aliases: item.aliases === undefined ? before.aliases : item.aliases,
    genre_id: state.genre_id ?? before.genre_id,
    year_id: state.year_id ?? before.year_id,
    brand_id: state.brand_id ?? before.brand_id,
    manufacturer_id: state.manufacturer_id ?? before.manufacturer_id,
  }
  return sameSet(before, next) ? before : next
}

/** What makes two sets without ids the same one. */
const identity = ['name', 'parent_id', 'genre_id', 'year_id', 'brand_id', 'manufacturer_id'] as const
const sameIdentity = (set: SetRecord, state: SetState) => identity.every((member) => set[member] === state[member])

const findSets = (tx: Pick<Database, 'sql'>, items: SetItem[], states: SetState[]) => {
  const ids = items.flatMap((item) => item.id ?? [])
  const names = states.map((state) => state.name)
  return tx.sql<SetRecord[]>`
    select id, name, genre_id, year_id, brand_id, manufacturer_id, parent_id, deleted_at is not null as deleted
    from sets
    where id = any(${ids}::uuid[])
      or (name_key collate "C" = any(array(select lower(n) from unnest(${names}::text[]) n)) and audience >= 1)
    order by no`
}
