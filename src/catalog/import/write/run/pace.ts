import type { Database } from '../../../../../db/client.ts'
import { upkeep } from '../../../../../db/upkeep.ts'

const least = 100
/** The first transactions are the slowest, because statements are planned and the embedded database's code is compiled. */
const first = 200
/** How long a transaction should take on the embedded database, where everyone waits for it, in milliseconds. */
const aim = 100
/** The pause between two of them for other requests, in milliseconds. */
const pause = 10

/**
 * How many cards go into one transaction: `most` on a server. On the embedded database, few enough that others wait only briefly,
 * judging by how long the last one took.
 */
export const keepPace = (kind: Database['kind'], most = 2000) => {
  let cards = kind === 'postgres' ? most : first
  return {
    cards: () => cards,
    /** Whether to plan the next chunk while one is written. A server works in parallel; the embedded database can't. */
    isAhead: kind === 'postgres',
    rest: () => (kind === 'postgres' ? undefined : Bun.sleep(pause)),
    took: (written: number, milliseconds: number) => {
      if (kind === 'postgres' || written < cards / 2) return
      const wanted = (written * aim) / Math.max(1, milliseconds)
      cards = Math.round(Math.min(most, Math.max(least, (cards + wanted) / 2)))
    },
  }
}
export type Pace = ReturnType<typeof keepPace>

/**
 * The tables that an import fills, with the growth after which the planner needs new statistics. A plan made while a table
 * was small reads all of it for each row that refers to it; sets are analyzed often, since that is quick. Of long tables the
 * first time has all columns, later ones only those by which an import finds rows.
 */
const filled: [growth: number, tables: Record<string, string[]>][] = [
  [2, { sets: [], teams: [], attributes: [], player_teams: [] }],
  [4, { players: ['id', 'name_key', 'folded'], tallies: ['list', 'id'] }],
  [
    8,
    {
      cards: ['id', 'set_id', 'number_key', 'parent_id'],
      oncard: ['card_id', 'player_id', 'team_id', 'player_team_id'],
      card_attributes: ['card_id', 'attribute_id'],
    },
  ],
]
const firstAt = 1000
/** After how many cards the embedded database gets its upkeep. */
const keptUpEach = 4000

/**
 * Updates the planner's statistics while an import runs: plans made for empty tables are kept until then, and a server does
 * it by itself a minute too late. `after` takes the number of cards created so far. But for the first time, the import goes
 * on meanwhile. The embedded database gets its upkeep more often: everyone waits while it goes through the new pages of a
 * table, so there should be few of them.
 */
export const keepStatistics = (db: Database) => {
  const plans = filled.map(([growth, tables]) => ({ growth, tables, next: firstAt }))
  let kept = 0
  let analyzing: Promise<void> | undefined
  const analyze = async (created: number) => {
    for (const plan of plans) {
      if (created < plan.next) continue
      const isFirst = plan.next === firstAt
      plan.next = created * plan.growth
      for (const [table, columns] of Object.entries(plan.tables))
        await db.sql.unsafe(`analyze ${table} ${isFirst || columns.length === 0 ? '' : `(${columns.join(', ')})`}`)
    }
  }
  const keepUp = async (created: number) => {
    kept = created
    await upkeep(db)
  }
  return {
    after: async (created: number) => {
      if (db.kind === 'embedded')
        return created >= kept + (kept === 0 ? firstAt : keptUpEach) ? keepUp(created) : undefined
      if (analyzing || !plans.some((plan) => created >= plan.next)) return
      const isFirst = plans.every((plan) => plan.next === firstAt)
      analyzing = analyze(created).finally(() => {
        analyzing = undefined
      })
      if (isFirst) await analyzing
      else analyzing.catch(() => {})
    },
    /** At the end, a server updates its statistics on its own, but the embedded database needs its upkeep. */
    end: async (created: number) => {
      await analyzing
      if (db.kind === 'embedded' && created - kept >= firstAt) await keepUp(created)
    },
  }
}
