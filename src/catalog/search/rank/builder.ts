import { type Arguments, newArguments } from '../../list/statement.ts'
import { type Cut, type Named, rankedMost, type SetAtom } from '../find/atoms.ts'
import { selectAllByName, sequenceCondition, tsqueryOf } from '../find/pattern.ts'

/** A statement that is put together for one reader: its arguments, and the tables that its parts name. */
export type Builder = {
  level: number
  args: Arguments
  /** Tables for `with`, in the order in which they are made. */
  tables: string[]
  /** The name of a table with this select: the same table for the same select. */
  table: (select: string) => string
}

/** Begins the statement of one search, for a reader of this level. */
export const newBuilder = (level: number): Builder => {
  const values = newArguments()
  const known = new Map<string, string>()
  const names = new Map<string, string>()
  const tables: string[] = []
  // The same value is one argument, so that the same condition is the same text.
  const add = (value: unknown, type: string) => {
    const key = JSON.stringify([value, type])
    const name = known.get(key) ?? values.add(value, type)
    known.set(key, name)
    return name
  }
  const table = (select: string) => {
    const name = names.get(select) ?? `named_${names.size}`
    if (!names.has(select)) tables.push(`${name} as materialized (${select})`)
    names.set(select, name)
    return name
  }
  return { level, args: { values: values.values, add }, tables, table }
}

/** A table of the records that a pattern finds, as `id`. */
const tableOf = ({ table, pattern }: Cut, { level, args, table: named }: Builder) => {
  const sequence = (column: string) => sequenceCondition(pattern, column, args.add)
  return named(selectAllByName(table, 't.id', args.add(tsqueryOf(pattern), 'tsquery'), level, rankedMost + 1, sequence))
}

/** Ids as an argument, so that one statement serves all lists of them. */
export const listOf = (ids: string[], { args }: Builder) => args.add(ids, 'uuid[]')

/** Ids, and beside each its share, as a table. */
export const sharesOf = (ids: string[], shares: Map<string, number>, builder: Builder) => {
  const list = ids.map((id) => String(shares.get(id) ?? 0))
  return `unnest(${listOf(ids, builder)}, ${builder.args.add(list, 'float8[]')})`
}

/** A select of the ids of named records. */
export const idsOf = ({ ids, cut }: Named, builder: Builder) =>
  cut ? `select id from ${tableOf(cut, builder)}` : `select unnest(${listOf(ids, builder)})`

/** How deep the sets below a set are looked at. */
const deepest = 8

/** A table of named sets and of all that belong to them, as `id`. */
export const familyOf = (atom: Extract<SetAtom, { of: 'set' }>, builder: Builder) =>
  builder.table(`with recursive f (id, depth) as (
      select id, 0 from (${idsOf(atom.named, builder)}) n (id)
      union select s.id, f.depth + 1 from f join sets s on s.parent_id = f.id and s.audience >= ${builder.level} and f.depth < ${deepest}
    ) select distinct id from f`)
