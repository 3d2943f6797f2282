import { type Arguments, newArguments } from '../../list/statement.ts'
import { type Cut, type Named, rankedMost, type SetAtom } from '../find/atoms.ts'
import { selectAllByName, sequenceCondition, tsqueryOf } from '../find/pattern.ts'

/** A statement being built for one reader: its arguments, and the tables that its parts use. */
export type Builder = {
  level: number
  args: Arguments
  /** Tables for `with`, in order of creation. */
  tables: string[]
  /** The name of a table with this select. The same select gives the same table. */
  table: (select: string) => string
}

/** Starts the statement of one search, for a reader of this level. */
export const newBuilder = (level: number): Builder => {
  const values = newArguments()
  const known = new Map<string, string>()
  const names = new Map<string, string>()
  const tables: string[] = []
  // Equal values share an argument, so that equal conditions are equal texts.
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

/** The name of a table with the ids of the records that a pattern finds. */
const tableOf = ({ table, pattern }: Cut, { level, args, table: named }: Builder) => {
  const sequence = (column: string) => sequenceCondition(pattern, column, args.add)
  return named(selectAllByName(table, 't.id', args.add(tsqueryOf(pattern), 'tsquery'), level, rankedMost + 1, sequence))
}

/** Ids as one argument, so that the statement's text doesn't depend on how many there are. */
export const listOf = (ids: string[], { args }: Builder) => args.add(ids, 'uuid[]')

/** Ids with their shares, as a table. */
export const sharesOf = (ids: string[], shares: Map<string, number>, builder: Builder) => {
  const list = ids.map((id) => String(shares.get(id) ?? 0))
  return `unnest(${listOf(ids, builder)}, ${builder.args.add(list, 'float8[]')})`
}

/** A select of the ids of named records. */
export const idsOf = ({ ids, cut }: Named, builder: Builder) =>
  cut ? `select id from ${tableOf(cut, builder)}` : `select unnest(${listOf(ids, builder)})`

/** How many levels below a set are included. */
const deepest = 8

/** The name of a table with the `id` and `no` of named sets and of all sets below them. */
export const familyOf = (atom: Extract<SetAtom, { of: 'set' }>, builder: Builder) => {
  const visible = `s.audience >= ${builder.level}`
  return builder.table(`with recursive f (id, no, depth) as (
      select s.id, s.no, 0 from (${idsOf(atom.named, builder)}) n (id)
        cross join lateral (select s.id, s.no from sets s where s.id = n.id and ${visible} offset 0) s
      union select s.id, s.no, f.depth + 1 from f
        cross join lateral (select s.id, s.no from sets s where s.parent_id = f.id and ${visible} offset 0) s where f.depth < ${deepest}
    ) select distinct id, no from f`)
}
