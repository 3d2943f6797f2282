import { Audience } from '../../lib/audience.ts'

/** How far up and down a tree of sets is followed. */
export const mostLevels = 32

/**
 * The beginning of a statement that has the sets below others as `down`, each with the `root` that it is below, of every
 * audience: a hidden set may have shown ones below it. `roots` compares a set's parent with those. `down` brings the cards and
 * the audience of each set along: the planner read whole tables to join them again.
 */
export const setsBelow = (roots: string) => `
  with recursive down as (
    select s.parent_id as root, s.id, s.live_cards, s.audience, 1 as depth from sets s
    where s.parent_id ${roots} and s.audience >= ${Audience.draft}
    union all
    select d.root, s.id, s.live_cards, s.audience, d.depth + 1 from down d join sets s on s.parent_id = d.id and s.audience >= ${Audience.draft}
    where d.depth < ${mostLevels}
  )`

/** The cards of the set `t` and of all sets below it, as they are seen at a level: an expression. */
export const cardsInAll = (level: number) => `(t.live_cards + coalesce((${setsBelow('= t.id')}
  select sum(d.live_cards) from down d where d.audience >= ${level}), 0))::int`
