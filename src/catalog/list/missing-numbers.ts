import type { Queryable } from '../../../db/client.ts'

/** The first numbers that a checklist lacks, and how many it lacks in all. */
export type MissingNumbers = { numbers: string[]; total: number }

/**
 * The numbers from 1 to a set's highest that none of its cards has, at most `most` of them. Numbers of one to eight digits count,
 * with or without zeros in front. A key of such a number is 0, how many digits it has, and these (model/card-number.ts).
 */
export const findMissingNumbers = async (
  { sql }: Pick<Queryable, 'sql'>,
  setId: string,
  most: number,
): Promise<MissingNumbers> => {
  const [row] = await sql<{ numbers: number[]; total: string }[]>`
    with own as materialized (
      select distinct substr(number_key, 3)::int as number from cards
      where set_id = ${setId} and deleted_at is null and number_key ~ '^0[1-8][0-9]+$'
    ), known as (
      select coalesce(max(number), 0) as highest, count(*) filter (where number > 0) as count from own
    )
    select known.highest - known.count as total, array(
      select number from generate_series(1, least(known.highest, known.count + ${most}::int)) number
      where not exists (select from own where own.number = number.number) order by 1 limit ${most}::int
    ) as numbers
    from known`
  return { numbers: (row?.numbers ?? []).map(String), total: Number(row?.total ?? 0) }
}
