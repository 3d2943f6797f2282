import { arrayOf, arrayOfTexts } from '../../../db/arrays.ts'
import type { Database } from '../../../db/client.ts'
import { countedAt, setKindIds, tallyNumbers } from '../model/counts.ts'
import { cardsInSet, cardsOfAll, tallied } from './lookup.ts'

/** About how many cards a term finds by a title, a number, a serial number, the kind of a set, or an attribute's code. */
export type FoundOnCards = {
  no: number
  titles: number
  numbers: number
  serials: number
  kinds: number
  attributes: { id: string; cards: number }[]
}

/**
 * What a term may be other than a name: words of a title, a card's number and its key, a code, the range of tally ids of
 * serial limits, or the tally id of a kind of set.
 */
export type CardLookup = {
  no: number
  title?: string
  number?: string
  numberKey?: string
  code?: string
  serials?: [from: string, to: string]
  kind?: string
}

const countedMost = 1000

const sumOf = (list: number, level: number, ids: string) =>
  `coalesce((select sum(${countedAt(level)}) from tallies where list = ${list} and id ${ids}), 0)`

/** The kind with the tally id of a lookup. */
const kindOf = `case q.kind ${Object.entries(setKindIds)
  .map(([kind, id]) => `when '${id}' then '${kind}'`)
  .join(' ')} end`

const cardsOfKind = (level: number) =>
  cardsOfAll(`s.kind = ${kindOf}`, `${sumOf(tallyNumbers.sets, level, '= q.kind')} * ${cardsInSet}`, level)

/**
 * Estimates how many cards match the terms of a query by what is on them. Titles and number keys are counted up to 1,000
 * rows; a larger count of a number comes from its tally, which leaves out other spellings of the number.
 */
export const findOnCards = async (db: Database, lookups: CardLookup[], level: number): Promise<FoundOnCards[]> => {
  if (lookups.length === 0) return []
  const texts = (of: (lookup: CardLookup) => string | undefined) => arrayOfTexts(lookups.map((one) => of(one) ?? null))
  const [row] = await db.sql.unsafe<{ rows: FoundOnCards[] | null }[]>(
    `select json_agg(r) as rows from (
      select q.no, (
        select count(*) from (
          select from cards t where t.title is not null and t.deleted_at is null
            and search_words(search_text(t.title)) @@ q.title limit ${countedMost}
        ) c
      ) as titles, greatest((
        select count(*) from (
          select from cards t where t.deleted_at is null and t.number_key collate "C" = q.number_key limit ${countedMost}
        ) c
      ), ${sumOf(tallyNumbers.numbers, level, "in (md5(q.number)::uuid, md5(ltrim(q.number, '0'))::uuid)")}) as numbers,
      ${sumOf(tallyNumbers.serial_limits, level, 'between q.serial_from and q.serial_to')} as serials,
      case when q.kind is null then 0 else ${cardsOfKind(level)} end as kinds, array(
        select json_build_object('id', t.id, 'cards', ${tallied(tallyNumbers.cards)(level)})
        from attributes t where t.attribute_key collate "C" = q.code and t.audience >= ${level}
      ) as attributes
      from (
        select no, title::tsquery, number, number_key, code, serial_from, serial_to, kind
        from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::uuid[], $8::uuid[])
          q (no, title, number, number_key, code, serial_from, serial_to, kind)
      ) q
    ) r`,
    [
      arrayOf(lookups.map(({ no }) => no)),
      texts(({ title }) => title),
      texts(({ number }) => number),
      texts(({ numberKey }) => numberKey),
      texts(({ code }) => code),
      texts(({ serials }) => serials?.[0]),
      texts(({ serials }) => serials?.[1]),
      texts(({ kind }) => kind),
    ],
    { prepare: true },
  )
  return row?.rows ?? []
}
