import { arrayOf } from '../../db/arrays.ts'
import type { Queryable } from '../../db/client.ts'
import { isUuid } from '../jsonapi/fields.ts'

/** The kind and id of an agent with a record: `user:{id}` or `client:{id}`. Other agents have only their name. */
export const recordOfAgent = (agentId: string | null): { kind: 'user' | 'client'; id: string } | undefined => {
  const [kind = '', id = ''] = (agentId ?? '').split(':')
  return (kind === 'user' || kind === 'client') && isUuid(id) ? { kind, id } : undefined
}

/** Reads the current names of agents. Null for one that has no name or no longer exists. */
export const readAgentNames = async ({ sql }: Queryable, agentIds: (string | null)[]) => {
  const records = agentIds.flatMap((agentId) => recordOfAgent(agentId) ?? [])
  const idsOf = (kind: string) => arrayOf(records.flatMap((one) => (one.kind === kind ? one.id : [])))
  const rows =
    records.length === 0
      ? []
      : await sql<{ agent: string; name: string | null }[]>`
        select 'user:' || id as agent, coalesce(name, email) as name from users
        where id = any(${idsOf('user')}::text::uuid[])
        union all select 'client:' || id, name from credentials where id = any(${idsOf('client')}::text::uuid[])`
  const names = new Map(rows.map(({ agent, name }) => [agent, name]))
  return (agentId: string | null) => names.get(agentId?.toLowerCase() ?? '') ?? null
}
