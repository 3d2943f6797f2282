import { arrayOfTexts } from '../../../../db/arrays.ts'
import type { Arguments } from '../../list/statement.ts'
import { numberKey } from '../../model/card-number.ts'
import { countedAt, tallyNumbers } from '../../model/counts.ts'
import { tallied } from './lookup.ts'

/** About how many cards a term finds by title, notes, number, serial number or attribute. */
export type FoundOnCards = {
  no: number
  titles: number
  notes: number
  numbers: number
  serials: number
  /** Attributes found by code, and by name. */
  attributes: { id: string; cards: number }[]
  called: { id: string; cards: number; name: string }[]
}

/**
 * What a term may be other than a name: words of a title or note, card numbers, codes, or a range of tally ids of serial limits.
 */
export type CardLookup = {
  no: number
  title?: string
  note?: string
  numbers?: string[]
  codes?: readonly string[]
  /** Words of an attribute's name, as a `tsquery`. */
  called?: string
  serials?: [from: string, to: string]
}

const countedMost = 1000

/** How many attributes are found by name. */
const calledMost = 100

const sumOf = (list: number, level: number, ids: string) =>
  `coalesce((select sum(${countedAt(level)}) from tallies where list = ${list} and id ${ids}), 0)`

/**
 * A select of about how many cards match each term by what is on them. Titles, notes and number keys are counted up to 1,000 rows.
 * A larger count of a number comes from its tally, which leaves out other spellings of that number.
 */
export const selectOnCards = (lookups: CardLookup[], level: number, args: Arguments): string => {
  const texts = (of: (lookup: CardLookup) => string | undefined, type: string) =>
    args.add(
      lookups.map((one) => of(one) ?? null),
      type,
    )
  return `select json_agg(r) from (
      select q.no, (
        select count(*) from (
          select from cards t where t.title is not null and t.deleted_at is null
            and search_words(search_text(t.title)) @@ q.title limit ${countedMost}
        ) c
      ) as titles, (
        select count(*) from (
          select from cards t where t.notes is not null and t.deleted_at is null
            and search_words(search_text(t.notes)) @@ q.note limit ${countedMost}
        ) c
      ) as notes, greatest((
        select count(*) from (
          select from cards t where t.deleted_at is null and t.number_key collate "C" = any(q.number_keys) limit ${countedMost}
        ) c
      ), ${sumOf(tallyNumbers.numbers, level, "in (select md5(n)::uuid from unnest(q.numbers) n union select md5(ltrim(n, '0'))::uuid from unnest(q.numbers) n)")}) as numbers,
      ${sumOf(tallyNumbers.serial_limits, level, 'between q.serial_from and q.serial_to')} as serials, array(
        select json_build_object('id', t.id, 'cards', ${tallied(tallyNumbers.cards, level)})
        from attributes t where t.attribute_key collate "C" = any(q.codes) and t.audience >= ${level}
      ) as attributes, array(
        select json_build_object('id', t.id, 'name', t.name, 'cards', ${tallied(tallyNumbers.cards, level)})
        from attributes t where search_words(search_text(t.name)) @@ q.called and t.audience >= ${level} limit ${calledMost}
      ) as called
      from (
        select no, title::tsquery, note::tsquery, numbers::text[], number_keys::text[], codes::text[], called::tsquery,
          serial_from, serial_to
        from unnest(${args.add(
          lookups.map(({ no }) => String(no)),
          'int[]',
        )}, ${texts(({ title }) => title, 'text[]')}, ${texts(({ note }) => note, 'text[]')},
          ${texts(({ numbers }) => numbers && arrayOfTexts(numbers), 'text[]')},
          ${texts(({ numbers }) => numbers && arrayOfTexts(numbers.map(numberKey)), 'text[]')},
          ${texts(({ codes }) => codes && arrayOfTexts([...codes]), 'text[]')},
          ${texts(({ serials }) => serials?.[0], 'uuid[]')}, ${texts(({ serials }) => serials?.[1], 'uuid[]')},
          ${texts(({ called }) => called, 'text[]')})
          q (no, title, note, numbers, number_keys, codes, serial_from, serial_to, called)
      ) q
    ) r`
}
