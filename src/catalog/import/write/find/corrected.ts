import type { Database } from '../../../../../db/client.ts'
import { notFound } from '../../../../jsonapi/errors.ts'
import { writeEntities } from '../../../write/entity/write.ts'
import type { Columns, EntityPlan } from '../../../write/record.ts'
import { tellKept } from '../lookup-cache.ts'
import type { Part } from '../run/chunk-context.ts'
import { enterImport, writerOf } from '../session.ts'
import type { Corrected, NamedType } from './candidates.ts'

/** Keeps corrected names and reports them. If the import overwrites, restores the file's names instead. */
export const settleNames = async (
  db: Database,
  type: NamedType,
  corrected: Corrected[],
  wanted: Map<string, Columns>,
  { known, report, session, now }: Part,
) => {
  const kept = new Map(corrected.map((one) => [one.id, one]))
  if (session.overwrite && !session.isDry && kept.size > 0) {
    const plans = [...kept.values()].map(
      ({ id, wanted: name }): EntityPlan => ({
        id,
        change: (before) =>
          before ? { ...before, columns: { ...before.columns, ...namesOf(wanted.get(name)) } } : notFound(),
      }),
    )
    const outcomes = await enterImport(db, session, (tx) => writeEntities(tx, type, plans, writerOf(session, now)))
    for (const { id, result } of outcomes) if (result !== 'failed') kept.delete(id)
  }
  if (session.overwrite && session.isDry) return
  for (const { id, wanted: said, name } of kept.values())
    tellKept(known, report, {
      ...{ type, id, name: said, field: 'name', kept: name, said },
      change: { attributes: namesOf(wanted.get(said)) },
    })
}

const namesOf = (columns: Columns = {}) =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => ['name', 'first_name', 'last_name'].includes(name)))
