import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database, Transaction } from '../../../../../db/client.ts'
import { type StoredType, tableOf } from '../../../model/tables.ts'
import { type Changes, note, writeChanges } from '../../../write/counts/changes.ts'
import { findLeads } from '../../../write/history/merged.ts'
import type { Restored } from '../../../write/record.ts'
import type { RecordItem } from '../../read/item.ts'
import { addNote, type ImportReport } from '../report.ts'

/** The outcome of a line about a merged id. `remark` says why it was left alone. */
export type Redirected = Restored & { remark?: string }

type Wanted = { type: string; id: string; into: string }

/**
 * Restores the redirects of an export's merged ids. An id that has a live record here, or already redirects elsewhere, is left
 * alone. One that would redirect to itself, or to a record that doesn't exist, is refused without affecting the others.
 */
export const restoreRedirects = async (tx: Transaction, items: RecordItem[], now: Date): Promise<Redirected[]> => {
  const wanted = items.map(wantedOf)
  const audiences = await readAudiences(tx, wanted)
  const leads = new Map(
    await findLeads(
      tx,
      wanted.flatMap(({ id, into }) => [id, into]),
    ),
  )
  const made: Wanted[] = []
  const outcomes = wanted.map((one): Redirected => {
    const { type, id, into } = one
    const known = leads.get(id)
    const target = endOf(leads, into)
    if (known) return { id, result: 'unchanged', ...(endOf(leads, id) === target ? {} : { remark: elsewhere(known) }) }
    if ((audiences.get(`${type} ${id}`) ?? 0) > 0)
      return { id, result: 'unchanged', remark: 'it is a live record here' }
    if (target === id) return { id, result: 'failed', reason: 'It would lead to itself.' }
    if (!audiences.has(`${type} ${into}`))
      return { id, result: 'failed', reason: 'It leads to a record that does not exist.' }
    leads.set(id, into)
    made.push(one)
    return { id, result: 'created' }
  })
  await insertRedirects(tx, made)
  await tellOf(tx, made, audiences, now)
  return outcomes
}

/** Notes the change for everyone who can see the record that an id redirects to, mirrors included. */
const tellOf = async (tx: Transaction, wanted: Wanted[], audiences: Map<string, number>, now: Date) => {
  const noted: Changes = new Map()
  for (const { type, id, into } of wanted) {
    const audience = audiences.get(`${type} ${into}`) ?? 0
    if (audience > 0) note(noted, type, audience, 0, [id])
  }
  await writeChanges(tx, noted, now)
}

/** Removes redirects that an import created, and returns how many there were. */
export const removeRedirects = async (tx: Transaction, ids: string[], now: Date): Promise<number> => {
  const gone = [
    ...(await tx.sql<Wanted[]>`
      delete from redirects where id = any(${arrayOf(ids)}::text::uuid[]) and merge_id is null
      returning object_type as type, id, into_id as into`),
  ]
  await tellOf(tx, gone, await readAudiences(tx, gone), now)
  return gone.length
}

/** Counts the redirects that an export would create, without writing anything. */
export const planRedirectsOnly = async (db: Database, items: RecordItem[], report: ImportReport) => {
  const ids = items.map(({ id }) => id)
  const leads = await findLeads(db, ids)
  for (const { id } of items) report.records[leads.has(id) ? 'unchanged' : 'created']++
}

/** Notes that a merged id was left alone. */
export const noteLeft = (report: ImportReport, item: RecordItem, remark: string) => {
  const { file, line, fields, id } = item
  addNote(report, { kind: 'note', file, line, rule: 'not-merged', text: `${fields.object_type} ${id}: ${remark}` })
}

const wantedOf = ({ id, fields }: RecordItem): Wanted => ({
  ...{ id, type: fields.object_type ?? '', into: (fields.merged_into ?? '').toLowerCase() },
})

const elsewhere = (id: string) => `it leads to ${id} here`

const endOf = (leads: Map<string, string>, id: string) => {
  let end = id
  for (let next = leads.get(end); next; next = leads.get(end)) end = next
  return end
}

/** The audience of each record, by `type id`. It's 0 for a deleted one. */
const readAudiences = async ({ sql }: Transaction, wanted: Wanted[]) => {
  const found = new Map<string, number>()
  for (const [type, some] of Map.groupBy(wanted, (one) => one.type)) {
    const from = type === 'cards' ? 'cards t join sets s on s.id = t.set_id' : `${tableOf(type as StoredType)} t`
    const audience = type === 'cards' ? 's.audience' : 't.audience'
    const rows = await sql.unsafe<{ id: string; audience: number }[]>(
      `select t.id, case when t.deleted_at is null then ${audience} else 0 end as audience
       from ${from} where t.id = any($1::text::uuid[])`,
      [arrayOf(some.flatMap(({ id, into }) => [id, into]))],
      { prepare: true },
    )
    for (const row of rows) found.set(`${type} ${row.id}`, row.audience)
  }
  return found
}

const insertRedirects = async (tx: Transaction, made: Wanted[]) => {
  if (made.length === 0) return
  await tx.sql`
    insert into redirects (id, object_type, into_id)
    select id, object_type, into_id from unnest(${arrayOf(made.map(({ id }) => id))}::text::uuid[],
      ${arrayOfTexts(made.map(({ type }) => type))}::text::text[],
      ${arrayOf(made.map(({ into }) => into))}::text::uuid[]) as n (id, object_type, into_id)
    on conflict (id) do nothing`
}
