/** Somebody who wants a place. `key` says whose turn it uses; `begin` is called when the place is theirs. */
export type Asking = {
  key: string
  /** Whether it also needs a place in the lane for heavy work. */
  isHeavy?: boolean
  /** Whether it goes first. */
  isUrgent?: boolean
  /** Whether it works for many callers at once, so that one caller's share doesn't limit it. */
  isForMany?: boolean
  begin: () => void
}

type Turns = {
  /** Begins at once if there is room, otherwise in turn. */
  ask: (one: Asking) => void
  /** Gives a place back. */
  leave: (one: Asking) => void
  /** Takes somebody who is still waiting out of the queue. */
  forget: (one: Asking) => void
  /** How many wait under a key. */
  waitingFor: (key: string) => number
  counts: () => { running: number; waiting: number }
}

type Line = { running: number; waiting: Asking[] }

/**
 * Shares places among callers: each caller has at most `each` at a time, heavy work at most `heavy`. When places run short,
 * callers take turns, one place each.
 */
export const openTurns = ({
  places,
  each,
  heavy = places,
}: {
  places: number
  each: number
  heavy?: number
}): Turns => {
  const lines = new Map<string, Line>()
  const inTurn = new Set<Line>()
  const urgent: Asking[] = []
  let running = 0
  let heavyRunning = 0
  let waiting = 0

  const lineOf = (key: string): Line => lines.getOrInsertComputed(key, () => ({ running: 0, waiting: [] }))
  const mayRun = ({ isHeavy, isForMany }: Asking, line: Line) =>
    (isForMany || line.running < each) && (!isHeavy || heavyRunning < heavy)
  const start = (one: Asking, line: Line) => {
    running++
    line.running++
    if (one.isHeavy) heavyRunning++
    one.begin()
  }
  /** Takes the first one in a queue that there is room for. */
  const takeFrom = (line: Line): Asking | undefined => {
    const at = line.waiting.findIndex((one) => mayRun(one, line))
    return at < 0 ? undefined : line.waiting.splice(at, 1)[0]
  }
  const startNext = (): boolean => {
    if (running >= places) return false
    const first = urgent.shift()
    if (first) {
      waiting--
      start(first, lineOf(first.key))
      return true
    }
    for (const line of inTurn) {
      const one = takeFrom(line)
      if (!one) continue
      waiting--
      inTurn.delete(line)
      if (line.waiting.length > 0) inTurn.add(line)
      start(one, line)
      return true
    }
    return false
  }
  const tidy = (key: string, line: Line) => {
    if (line.running === 0 && line.waiting.length === 0) lines.delete(key)
  }

  return {
    ask: (one) => {
      const line = lineOf(one.key)
      const isFirst = urgent.length === 0 && (one.isUrgent || line.waiting.length === 0)
      if (running < places && isFirst && (one.isUrgent || mayRun(one, line))) return start(one, line)
      waiting++
      if (one.isUrgent) urgent.push(one)
      else {
        line.waiting.push(one)
        inTurn.add(line)
      }
      // Those ahead of it may be waiting for the heavy lane, which it doesn't need.
      while (startNext());
    },
    leave: (one) => {
      const line = lineOf(one.key)
      running--
      line.running--
      if (one.isHeavy) heavyRunning--
      while (startNext());
      tidy(one.key, line)
    },
    forget: (one) => {
      const line = lines.get(one.key)
      const list = one.isUrgent ? urgent : line?.waiting
      const at = list?.indexOf(one) ?? -1
      if (!list || !line || at < 0) return
      list.splice(at, 1)
      waiting--
      if (line.waiting.length === 0) inTurn.delete(line)
      tidy(one.key, line)
    },
    waitingFor: (key) => lines.get(key)?.waiting.length ?? 0,
    counts: () => ({ running, waiting }),
  }
}
