import { expect, test } from 'bun:test'
import type { Atom } from '../../src/catalog/search/match/term-matches.ts'
import { newKnownSets } from '../../src/catalog/search/name-cache/known-sets.ts'
import { cardIs } from '../../src/catalog/search/rank/conditions.ts'
import { newBuilder } from '../../src/catalog/search/rank/statement-builder.ts'
import { seenSets } from '../../src/catalog/search/sets/seen-sets.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
const [listed, candidates] = [10 * 500, 100]
const ids = Array.from({ length: 10 }, () => crypto.randomUUID())

/**
 * Lists of cards that are read whole (decision 11), in a catalog where the planner takes each for longer than what may be hashed: ten
 * ids with 500 cards each, and little memory. However many candidates there are, the rows of a list are read once.
 */
test('a search reads a list of cards once for all candidates, whatever the planner expects of ids that it does not know', async () => {
  const few = { cards: 10, cost: 0 }
  const subject = { of: 'subject', column: 'player_id', named: { ids } } as const
  const lists: [Atom, numberKeys?: string[]][] = [
    [{ ...subject, ...few }],
    [{ of: 'attribute', ids, ...few }],
    [{ ...subject, cards: 1_000_000, cost: 0 }, ['011']],
  ]
  await db.transaction(async (tx) => {
    await tx.sql.unsafe(`
      create temp table cards (like public.cards including defaults) on commit drop;
      create temp table oncard (like public.oncard) on commit drop;
      create temp table card_attributes (like public.card_attributes) on commit drop;
      insert into oncard (card_id, position, player_id, set_no, number_key, lists_player, lists_team, lists_player_team)
        select gen_random_uuid(), 0, id, 1, '011', true, false, false
        from unnest('{${ids.join()}}'::uuid[]) id, generate_series(1, 500);
      insert into cards (id, set_id, set_no, number_key, name, has_player, has_team, created_at, updated_at)
        select gen_random_uuid(), gen_random_uuid(), 1, '011', '1', true, false, now(), now() from generate_series(1, ${candidates});
      insert into card_attributes (card_id, attribute_id, set_no, number_key)
        select card_id, player_id, set_no, number_key from oncard;
      analyze oncard; analyze card_attributes;
      set local plan_cache_mode = force_generic_plan; set local work_mem = '64kB'; set local hash_mem_multiplier = 1`)
    for (const [no, [atom, numberKeys]] of lists.entries()) {
      const builder = newBuilder(1, seenSets(newKnownSets(), 1))
      const isSo = cardIs([atom], builder, { candidates: 10_000, through: {}, numberKeys })
      await tx.sql.unsafe(`prepare list_${no} as select from cards c where not ${isSo}`)
      const values = builder.args.values.map((value) => `'{${value}}'`).join()
      const [row] = await tx.sql.unsafe<[{ 'QUERY PLAN': unknown }]>(
        `explain (analyze, timing off, format json) execute list_${no} (${values})`,
      )
      const plans = row['QUERY PLAN']
      const [{ Plan: plan }] = (typeof plans === 'string' ? JSON.parse(plans) : plans) as [{ Plan: Plan }]
      expect([atom.of, plan['Actual Rows']]).toEqual([atom.of, candidates])
      // Each step of a plan passes the list on once: many times as often if each candidate reads it again.
      expect(rowsOf(plan)).toBeLessThan(10 * (listed + candidates))
    }
  })
})

type Plan = { 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Filter'?: number; Plans?: Plan[] }

/** How many rows all steps of a plan passed on or left out. */
const rowsOf = ({ 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0, Plans = [], ...plan }: Plan): number =>
  (plan['Actual Rows'] + removed) * loops + Plans.reduce((sum, one) => sum + rowsOf(one), 0)
