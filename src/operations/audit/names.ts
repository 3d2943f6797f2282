import { arrayOf } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/client.ts'
import type { AuditLog } from '../../audit/read.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { recordOfAgent } from '../agent-names.ts'

/** The names of an entry's agent and record. Null for one that has no name or no longer exists. */
export type Names = { agent_name: string | null; record_name: string | null }

/** The types of records with a name, as the log calls them. */
const kinds = [
  ...['set', 'card', 'player', 'team', 'client', 'personal_token', 'invite', 'user'],
  ...['brand', 'manufacturer', 'genre', 'year'],
]

/** The singular of an entry's type, since merges, splits and reverts use resource types. */
const kindOf = (type: string | null) => (type && kinds.includes(type.replace(/s$/, '')) ? type.replace(/s$/, '') : type)

/** Reads the names for entries in one statement. */
export const readNames = async ({ sql }: Queryable, entries: AuditLog[]): Promise<(entry: AuditLog) => Names> => {
  const idsOf = (kind: string) =>
    arrayOf([...new Set(entries.flatMap((entry) => named(entry).flatMap((one) => (one.kind === kind ? one.id : []))))])
  if (kinds.every((kind) => idsOf(kind) === '{}')) return () => ({ agent_name: null, record_name: null })
  const rows = await sql<{ kind: string; id: string; name: string | null }[]>`
    select 'set' as kind, id, name from sets where id = any(${idsOf('set')}::text::uuid[])
    union all select 'card', id, name from cards where id = any(${idsOf('card')}::text::uuid[])
    union all select 'player', id, name from players where id = any(${idsOf('player')}::text::uuid[])
    union all select 'team', id, name from teams where id = any(${idsOf('team')}::text::uuid[])
    union all select 'brand', id, name from brands where id = any(${idsOf('brand')}::text::uuid[])
    union all select 'manufacturer', id, name from manufacturers where id = any(${idsOf('manufacturer')}::text::uuid[])
    union all select 'genre', id, name from genres where id = any(${idsOf('genre')}::text::uuid[])
    union all select 'year', id, name from years where id = any(${idsOf('year')}::text::uuid[])
    union all select 'client', id, name from credentials where id = any(${idsOf('client')}::text::uuid[])
    union all select 'personal_token', id, name from credentials where id = any(${idsOf('personal_token')}::text::uuid[])
    union all select 'invite', id, coalesce(label, email) from invites where id = any(${idsOf('invite')}::text::uuid[])
    union all select 'user', id, coalesce(name, email) from users where id = any(${idsOf('user')}::text::uuid[])`
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
    return typeof setId === 'string' && isUuid(setId) ? { kind: 'set', id: setId } : undefined
  }
  return kind && id && kinds.includes(kind) ? { kind, id } : undefined
}
