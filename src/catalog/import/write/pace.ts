import type { Database } from '../../../../db/client.ts'

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
