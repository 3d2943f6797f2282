import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Database } from '../../../../db/client.ts'
import { isUuid } from '../../../jsonapi/fields.ts'
import type { TermNode } from '../language/query.ts'
import type { FoundName, NameType } from './term-matches.ts'

/** A record found by `id:`. */
export type Identified = { type: NameType | 'cards'; id: string }

const tables = ['cards', 'sets', 'players', 'teams', 'brands', 'manufacturers', 'genres', 'years'] as const

/** Finds the records that `id:` asks for, by another catalog's identifier or by their own id. */
export const findIdentified = async (db: Database, terms: TermNode[], level: number) => {
  const found = new Map<TermNode, Identified[]>()
  const asked = terms.flatMap((term) => (term.wanted.kind === 'identifier' ? [{ term, ...term.wanted }] : []))
  if (asked.length === 0) return found
  const own = tables.map((table) => {
    const seen = table === 'cards' ? 't.deleted_at is null' : `t.audience >= ${level}`
    return `select q.no, '${table}' as type, t.id from q join ${table} t on t.id = q.id where q.id is not null and ${seen}`
  })
  const [row] = await db.sql.unsafe<{ rows: [number, Identified['type'], string][] | null }[]>(
    `with q as (select no, source, value, id from unnest($1::int[], $2::text[], $3::text[], $4::uuid[]) q (no, source, value, id))
    select json_agg(json_build_array(no, type, id)) as rows from (
      select q.no, i.object_type as type, i.object_id as id from q join identifiers i on i.value = q.value
      where i.deleted_at is null and i.audience >= ${level} and (q.source is null or i.source = q.source)
      union ${own.join(' union ')}
    ) f`,
    [
      arrayOf(asked.map((_, no) => no)),
      arrayOfTexts(asked.map(({ source }) => source ?? null)),
      arrayOfTexts(asked.map(({ value }) => value)),
      arrayOf(asked.map(({ source, value }) => (source === undefined && isUuid(value) ? value : null))),
    ],
    { prepare: true },
  )
  for (const [no, type, id] of row?.rows ?? []) {
    const term = asked[no]?.term
    if (term) found.set(term, [...(found.get(term) ?? []), { type, id }])
  }
  return found
}

/** The same records as found names, except cards. The number of cards is a guess. */
export const asNames = (some: Identified[]): FoundName[] =>
  some.flatMap(({ type, id }) =>
    type === 'cards' ? [] : [{ no: -1, type, id, name: '', fit: 'exact', cards: 1000 } as const],
  )
