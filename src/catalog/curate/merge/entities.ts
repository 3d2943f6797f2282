import type { Transaction } from '../../../../db/client.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import { readEntities } from '../../write/entity/rows.ts'
import { writeEntities } from '../../write/entity/write.ts'
import { moveAttached } from '../../write/merge/attached.ts'
import type { Columns, EntityPlan, Outcome, Writer } from '../../write/record.ts'
import { audiencesOf } from './live.ts'
import type { MergedType, Merging } from './record.ts'

/** The types of plain entities that can be merged. */
type MergedEntity = Exclude<MergedType, 'sets' | 'cards'>

/** The names and aliases, each once, that a record with this name gets as aliases. */
export const joinAliases = (name: string, own: string | null, merged: { name: string; aliases: string | null }[]) => {
  const all = [...(own?.split('\n') ?? []), ...merged.flatMap((one) => [one.name, ...(one.aliases?.split('\n') ?? [])])]
  const once = [...new Set(all)].filter((alias) => alias !== name && alias !== '')
  return once.length > 0 ? once.join('\n') : null
}

/**
 * Finishes a merge of entities whose cards and sets already belong to the target. The target gets what is attached to them and
 * takes over their names as aliases, and they are deleted.
 */
export const closeEntities = async (tx: Transaction, { type, from, into }: Merging, writer: Writer) => {
  const entity = type as MergedEntity
  const targets = new Map(from.map((id) => [id, into]))
  await moveAttached(tx, type, { targets, audiences: await audiencesOf(tx, type, [into]) }, writer)
  const stored = await readEntities(tx, entity, [...from, into])
  const merged = from.map((id) => stored.get(id)?.columns ?? {})
  const plans: EntityPlan[] = [
    ...from.map((id): EntityPlan => ({ id, change: (now) => (now ? { ...now, deleted: true } : notFound()) })),
    { id: into, change: (now) => (now ? { ...now, columns: withAliases(now.columns, merged) } : notFound()) },
  ]
  refuseFailed(await writeEntities(tx, entity, plans, writer))
}

const withAliases = (columns: Columns, merged: Columns[]): Columns =>
  'aliases' in columns
    ? {
        ...columns,
        aliases: joinAliases(
          String(columns.name),
          columns.aliases ?? null,
          merged.map((one) => ({ name: one.name ?? '', aliases: one.aliases ?? null })),
        ),
      }
    : columns

/** Throws the first refusal, because a merge is done completely or not at all. */
export const refuseFailed = (outcomes: Outcome[]) => {
  for (const { error } of outcomes) if (error) throw error
}
