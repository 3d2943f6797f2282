import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { tableOf } from '../../model/tables.ts'
import type { Writer } from '../record.ts'
import { noteEdits } from './audit.ts'
import { differenceOf, type Fields } from './fields.ts'

/** A record that existed before, with its fields before and after a change. */
type Changed = { id: string; before: Fields; after: Fields }

/** The records that imports write, so that their fields may be curated. */
const importedTypes = [
  ...(['cards', 'sets', 'genres', 'years', 'brands', 'manufacturers', 'attributes'] as const),
  ...(['teams', 'players', 'playerteams'] as const),
] as const

/**
 * Writes the history of changed records of one type, in the transaction of the change and with the records locked: a revision
 * for each record that differs, and which fields count as curated from now on (decisions.md §13, §14). A mirror has no history
 * of its own.
 */
export const writeRevisions = async (tx: Transaction, type: string, changed: Changed[], writer: Writer) => {
  if (writer.mirrored) return
  const { now, agent = 'service', cause = { kind: 'request' } } = writer
  const revisions = changed.flatMap(({ id, before, after }) => {
    const difference = differenceOf(before, after)
    return difference ? [{ id, ...difference }] : []
  })
  if (revisions.length === 0) return
  noteRevised(tx, type, revisions, writer)
  const ids = arrayOf(revisions.map(({ id }) => id))
  const befores = arrayOfTexts(revisions.map(({ before }) => JSON.stringify(before)))
  const afters = arrayOfTexts(revisions.map(({ after }) => JSON.stringify(after)))
  await tx.sql`
    insert into revisions (object_type, object_id, cause, cause_id, agent_id, changed_at, before, after)
    select ${type}, n.id, ${cause.kind}, ${cause.id ?? null}::uuid, ${agent}, ${now.toISOString()}::timestamptz,
      n.before::jsonb, n.after::jsonb
    from unnest(${ids}::text::uuid[], ${befores}::text::text[], ${afters}::text::text[])
      with ordinality as n (id, before, after, place)
    order by n.place`
  const imported = importedTypes.find((one) => one === type)
  if (!imported) return
  if (isOfImports.has(cause.kind)) await forgetCurated(tx, ids, afters)
  else await keepCurated(tx, imported, { ids, befores, afters })
}

/** For the audit log. That a set was deleted or restored is logged with its status (set/write.ts). */
const noteRevised = (tx: Transaction, type: string, revisions: Changed[], writer: Writer) => {
  for (const [verb, changed] of Map.groupBy(revisions, ({ after }) => verbOf(after))) {
    const fields = new Set(changed.flatMap(({ after }) => Object.keys(after)))
    for (const name of ['deleted', ...(type === 'sets' ? ['status'] : [])]) fields.delete(name)
    const isLogged = type === 'sets' && (verb !== 'updated' || fields.size === 0)
    const ids = changed.map(({ id }) => id)
    if (!isLogged) noteEdits(tx, type, verb, ids, writer, verb === 'updated' ? [...fields] : [])
  }
}

const verbOf = ({ deleted }: Fields) => (deleted === undefined ? 'updated' : deleted ? 'deleted' : 'restored')

/** Imports' own changes to a record are what they say about it, and nobody's correction. */
const isOfImports: ReadonlySet<string> = new Set(['import', 'prune', 'undo'])

/**
 * Stores what imports had said about fields that somebody changes, and that a person deleted a record, whoever created it. If
 * somebody sets a field back to what imports say, it is no longer a correction.
 */
const keepCurated = async (
  tx: Transaction,
  type: (typeof importedTypes)[number],
  { ids, befores, afters }: Record<'ids' | 'befores' | 'afters', string>,
) => {
  await tx.sql`
    insert into curated_fields (object_id, object_type, field, said)
    select n.id, ${type}, f.key, f.value
    from unnest(${ids}::text::uuid[], ${befores}::text::text[]) as n (id, before)
    join ${tx.sql(tableOf(type))} t on t.id = n.id cross join lateral jsonb_each(n.before::jsonb) f
    where case when f.key = 'deleted' then f.value = 'false'::jsonb else t.import_id is not null end
    on conflict do nothing`
  await tx.sql`
    delete from curated_fields c using unnest(${ids}::text::uuid[], ${afters}::text::text[]) as n (id, after)
    where c.object_id = n.id and n.after::jsonb -> c.field = c.said`
}

const forgetCurated = async (tx: Transaction, ids: string, afters: string) => {
  await tx.sql`
    delete from curated_fields c
    using unnest(${ids}::text::uuid[], ${afters}::text::text[]) as n (id, after)
    where c.object_id = n.id and jsonb_exists(n.after::jsonb, c.field)`
}
