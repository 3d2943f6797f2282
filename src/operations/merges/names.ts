import { arrayOf } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/client.ts'
import { type Merge, mergedTypes } from '../../catalog/curate/merge/record.ts'
import { readAgentNames } from '../agent-names.ts'

/** Reads the names of merges' records and agents, in two statements. Merged records still have their rows. */
export const readMergeNames = async (db: Queryable, merges: Merge[]) => {
  const parts = mergedTypes.flatMap((type) => {
    const ids = merges.flatMap((one) => (one.objectType === type ? [...one.fromIds, one.intoId] : []))
    const name = type === 'attributes' ? 'attribute' : 'name'
    return ids.length > 0 ? [`select id, ${name} as name from ${type} where id = any('${arrayOf(ids)}'::uuid[])`] : []
  })
  const rows = parts.length > 0 ? await db.sql.unsafe<{ id: string; name: string }[]>(parts.join(' union all ')) : []
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const agents = merges.map(({ agentId }) => agentId)
  const agentName = await readAgentNames(db, agents)
  return ({ fromIds, intoId, agentId }: Merge) => ({
    into_name: names.get(intoId) ?? null,
    from_names: fromIds.map((id) => names.get(id) ?? null),
    agent_name: agentName(agentId),
  })
}
