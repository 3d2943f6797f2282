import type { Database } from '../../../../db/client.ts'
import { upkeep } from '../../../../db/upkeep.ts'

const most = 2000
const least = 100
/** The first transactions are the slowest: their statements are planned, and the embedded database's code is compiled. */
const first = 200
/** On the embedded database everyone waits for a transaction: this long is what one shall take, in milliseconds. */
const aim = 100
/** Between two of them what waits gets its turn, with all statements of a request, in milliseconds. */
const pause = 10

/**
 * How many cards go into one transaction. On a server as many as are fast. On the embedded database so many that others
 * wait shortly, by how long the one before took.
 */
export const keepPace = (kind: Database['kind']) => {
  let cards = kind === 'postgres' ? most : first
  return {
    cards: () => cards,
    /** Whether the next chunk is worked out while one is written: a server works beside us, the embedded one does one thing. */
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
 * What an import fills, with the growth after which the planner shall count again. A plan that was made while a table
 * was small reads the whole of it for each row that refers to it, so that sets are counted often: it is quickly done.
 */
const filled: [growth: number, tables: string[]][] = [
  [2, ['sets', 'teams', 'attributes', 'player_teams']],
  [4, ['players', 'tallies']],
  [8, ['cards', 'oncard', 'card_attributes']],
]
const firstAt = 1000
/** After so many cards the embedded database is kept up again. */
const keptUpEach = 4000

/**
 * Lets the planner count while an import runs: plans that were made for empty tables are kept until then, and what a
 * server does by itself comes a minute late. `after` takes the cards that were created so far; but for the first time,
 * the import goes on meanwhile. The embedded database is kept up more often: everyone waits while it goes through the new
 * pages of a table, so that there shall be few.
 */
export const keepStatistics = (db: Database) => {
  const plans = filled.map(([growth, tables]) => ({ growth, tables, next: firstAt }))
  let kept = 0
  let analyzing: Promise<void> | undefined
  const analyze = async (created: number) => {
    for (const plan of plans) {
      if (created < plan.next) continue
      plan.next = created * plan.growth
      for (const table of plan.tables) await db.sql.unsafe(`analyze ${table}`)
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
    /** At the end a server looks by itself; the embedded database is asked to. */
    end: async (created: number) => {
      await analyzing
      if (db.kind === 'embedded' && created - kept >= firstAt) await keepUp(created)
    },
  }
}
