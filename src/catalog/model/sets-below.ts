import { Audience } from '../../lib/audience.ts'

/** How many levels of a tree of sets are followed, up or down. */
export const mostLevels = 32

/**
 * The start of a statement, with a table `down` of the sets below others, each with the `root` it is below. It has sets of every audience,
 * since a hidden set may have visible ones below it. `roots` is the condition on a top set's parent. `down` also has each set's cards and
 * audience, because the planner read whole tables to join them later.
 */
export const setsBelow = (roots: string) => `
  with recursive down as (
    select s.parent_id as root, s.id, s.live_cards, s.audience, 1 as depth from sets s
    where s.parent_id ${roots} and s.audience >= ${Audience.draft}
    union all
    select d.root, s.id, s.live_cards, s.audience, d.depth + 1 from down d join sets s on s.parent_id = d.id and s.audience >= ${Audience.draft}
    where d.depth < ${mostLevels}
  )`

/** How many cards the set `t` and all sets below it have, as a level sees them: an expression. */
export const cardsInAll = (level: number) => `(t.live_cards + coalesce((${setsBelow('= t.id')}
  select sum(d.live_cards) from down d where d.audience >= ${level}), 0))::int`
