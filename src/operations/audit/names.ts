import { arrayOf } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/client.ts'
import type { AuditLog } from '../../audit/read.ts'
import { isId } from '../../jsonapi/fields.ts'
import { recordOfAgent } from '../agent-names.ts'

/** The names of an entry's agent and record. Null for one that has no name or no longer exists. */
export type Names = { agent_name: string | null; record_name: string | null }

/** The tables of records with a name, by their type as the log calls it. */
const tables: Record<string, string> = {
  set: 'sets',
  card: 'cards',
  player: 'players',
  team: 'teams',
  invite: 'invites',
  user: 'users',
  brand: 'brands',
  manufacturer: 'manufacturers',
  genre: 'genres',
  year: 'years',
  client: 'credentials',
  personal_token: 'credentials',
}
const kinds = Object.keys(tables)

/** The names of records that have none of their own, or may lack it. */
const otherNames: Record<string, string> = { invite: 'coalesce(label, email)', user: 'coalesce(name, email)' }

const namesOfAll = Object.entries(tables)
  .map(([kind, table], index) => {
    const name = otherNames[kind] ?? 'name'
    return `select '${kind}' as kind, id, ${name} as name from ${table} where id = any($${index + 1}::text::uuid[])`
  })
  .join(' union all ')

/** The singular of an entry's type, since merges, splits and reverts use resource types. */
const kindOf = (type: string | null) => (type && kinds.includes(type.replace(/s$/, '')) ? type.replace(/s$/, '') : type)

/** Reads the names for entries in one statement. */
export const readNames = async ({ sql }: Queryable, entries: AuditLog[]): Promise<(entry: AuditLog) => Names> => {
  const all = entries.flatMap(named)
  const ids = kinds.map((kind) => [...new Set(all.flatMap((one) => (one.kind === kind ? one.id : [])))])
  const rows =
    all.length > 0
      ? await sql.unsafe<{ kind: string; id: string; name: string | null }[]>(namesOfAll, ids.map(arrayOf), {
          prepare: true,
        })
      : []
  const names = new Map(rows.map(({ kind, id, name }) => [`${kind} ${id}`, name]))
  const nameOf = (one: Named | undefined) => (one && names.get(`${one.kind} ${one.id}`)) ?? null
  return (entry) => ({ agent_name: nameOf(recordOfAgent(entry.agent_id)), record_name: nameOf(recordIn(entry)) })
}

type Named = { kind: string; id: string }

const named = (entry: AuditLog) => [recordOfAgent(entry.agent_id), recordIn(entry)].filter((one) => one !== undefined)

/** The record to name. For a todo, that is its set. */
const recordIn = ({ auditable_type: type, auditable_id: id, data }: AuditLog): Named | undefined => {
  const kind = kindOf(type)
  if (kind === 'set_todo') {
    const setId = (data as { set_id?: unknown } | null)?.set_id
    return isId(setId) ? { kind: 'set', id: setId } : undefined
  }
  return kind && id && kinds.includes(kind) ? { kind, id } : undefined
}
