import { type Arguments, newArguments } from '../list/statement.ts'
import { type Cut, type Named, rankedMost } from './atoms.ts'
import { exactly, indexedWords } from './words.ts'

/** A statement that is put together for one reader: its arguments, and the tables that its parts name. */
export type Builder = {
  level: number
  args: Arguments
  /** Tables for `with`, in the order in which they are made. */
  tables: string[]
  /** The name of a table (id, and of sets no and name_key) with the records that some words find. */
  tableOf: (cut: Cut) => string
}

/** Begins the statement of one search, for a reader of this level. */
export const newBuilder = (level: number): Builder => {
  const args = newArguments()
  const tables: string[] = []
  const known = new Map<string, string>()
  const tableOf = (cut: Cut) => {
    const key = JSON.stringify(cut)
    const name = known.get(key) ?? `cut_${known.size}`
    if (!known.has(key)) tables.push(`${name} as materialized (${selectOf(cut, level, args)})`)
    known.set(key, name)
    return name
  }
  return { level, args, tables, tableOf }
}

const selectOf = (cut: Cut, level: number, args: Arguments) => {
  const columns = cut.table === 'sets' ? 'n.id, n.no, n.name_key' : 'n.id'
  return `select ${columns} from ${cut.table} n where ${hasWords(cut, level, args)} limit ${rankedMost + 1}`
}

/** The condition that the record `n` has some words, one behind the other. */
export const hasWords = ({ words }: Cut, level: number, args: Arguments) => {
  const found = `n.audience >= ${level} and ${indexedWords('n.name')} @@ ${args.add(exactly(words), 'tsquery')}`
  return words.length > 1 ? `${found} and strpos(search_text(n.name), ${phraseOf(words, args)}) > 0` : found
}

/** Words one behind the other, as `search_text` has them. */
export const phraseOf = (words: string[], args: Arguments) => args.add(` ${words.join(' ')} `, 'text')

/** Ids that the database gave, as a literal: the planner makes a hash of a long list that it knows. */
export const listOf = (ids: string[]) => `'{${ids.join(',')}}'::uuid[]`

/** A table of the ids of named records. */
export const idsOf = ({ ids, cut }: Named, { tableOf }: Builder) => (cut ? tableOf(cut) : `unnest(${listOf(ids)})`)
