import { arrayOfTexts } from '../../../../db/arrays.ts'
import type { Arguments } from '../../list/statement.ts'
import { numberKey } from '../../model/card-number.ts'
import { countedAt, tallyNumbers } from '../../model/counts.ts'

/** About how many cards a term finds by title, notes, number or serial number. */
export type FoundOnCards = { no: number; titles: number; notes?: number; numbers?: number; serials?: number }

/** What a term may be on a card: words of a title or note, card numbers, or a range of tally ids of serial limits. */
export type CardLookup = {
  no: number
  title?: string
  note?: string
  numbers?: string[]
  serials?: [from: string, to: string]
}

const countedMost = 1000

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
  const titles = `(select count(*) from (
      select from cards t where t.title is not null and t.deleted_at is null
        and search_words(search_text(t.title)) @@ q.title limit ${countedMost}
    ) c) as titles`
  // Most terms are just words.
  if (lookups.every(({ note, numbers, serials }) => !note && !numbers && !serials))
    return `select json_agg(r) from (
      select q.no, ${titles} from (
        select no, title::tsquery from unnest(${args.add(
          lookups.map(({ no }) => String(no)),
          'int[]',
        )}, ${texts(({ title }) => title, 'text[]')}) q (no, title)
      ) q
    ) r`
  return `select json_agg(r) from (
      select q.no, ${titles}, (
        select count(*) from (
          select from cards t where t.notes is not null and t.deleted_at is null
            and search_words(search_text(t.notes)) @@ q.note limit ${countedMost}
        ) c
      ) as notes, greatest((
        select count(*) from (
          select from cards t where t.deleted_at is null and t.number_key collate "C" = any(q.number_keys) limit ${countedMost}
        ) c
      ), ${sumOf(tallyNumbers.numbers, level, "in (select md5(n)::uuid from unnest(q.numbers) n union select md5(ltrim(n, '0'))::uuid from unnest(q.numbers) n)")}) as numbers,
      ${sumOf(tallyNumbers.serial_limits, level, 'between q.serial_from and q.serial_to')} as serials
      from (
        select no, title::tsquery, note::tsquery, numbers::text[], number_keys::text[], serial_from, serial_to
        from unnest(${args.add(
          lookups.map(({ no }) => String(no)),
          'int[]',
        )}, ${texts(({ title }) => title, 'text[]')}, ${texts(({ note }) => note, 'text[]')},
          ${texts(({ numbers }) => numbers && arrayOfTexts(numbers), 'text[]')},
          ${texts(({ numbers }) => numbers && arrayOfTexts(numbers.map(numberKey)), 'text[]')},
          ${texts(({ serials }) => serials?.[0], 'uuid[]')}, ${texts(({ serials }) => serials?.[1], 'uuid[]')})
          q (no, title, note, numbers, number_keys, serial_from, serial_to)
      ) q
    ) r`
}
