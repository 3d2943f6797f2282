import type postgres from 'postgres'

/** A client, and how many seconds its server may take for an answer. */
type Watched = { client: postgres.Sql; seconds: number }

/** How long the server may take for what /health asks. It answers that at once, however busy it is. */
const pulseSeconds = 2

const tickMilliseconds = 500
const ticksPerBeat = 10

/**
 * Throws away connections whose server doesn't answer: each after its client's time, and all at once if /health's finds another
 * server in the place of the one that was silent, because its machine hangs or can't be reached. `pulse` is /health's client.
 * `beat` has it asked now and every five seconds: a connection that only listens would never find out by itself.
 */
export const watchSilence = (pulse: postgres.Sql, others: Watched[]): { beat: () => void; end: () => void } => {
  const watched = [{ client: pulse, seconds: pulseSeconds }, ...others]
  const silences = new WeakMap<postgres.Line, { heard: number; ticks: number }>()
  /** When the server of /health's connection started, which tells servers apart, also behind a proxy. */
  let server: string | undefined
  /** What each connection had heard when /health's was found silent. */
  let doubted = new Map<postgres.Line, number>()
  let [isAsking, isBeating, beats] = [false, false, 0]

  const askPulse = async () => {
    if (isAsking) return
    isAsking = true
    const [row] = await pulse<{ started: string }[]>`select pg_postmaster_start_time()::text as started`.catch(() => [])
    isAsking = false
    if (!row) return
    if (server && server !== row.started) for (const [line, heard] of doubted) if (line.heard() === heard) line.drop()
    server = row.started
    doubted = new Map()
  }
  /** Counts ticks instead of time: whatever came while this process slept is read between two of them. */
  const secondsOf = (line: postgres.Line): number => {
    const [heard, last] = [line.heard(), silences.get(line)]
    const ticks = line.asked() && last?.heard === heard ? last.ticks + 1 : 0
    silences.set(line, { heard, ticks })
    return (ticks * tickMilliseconds) / 1000
  }
  const look = () => {
    const lines = watched.flatMap(({ client, seconds }) =>
      client.lines().map((line) => ({ line, client, most: seconds, silent: secondsOf(line) })),
    )
    const silent = lines.filter((one) => one.silent >= pulseSeconds)
    if (silent.some(({ client }) => client === pulse)) doubted = new Map(lines.map(({ line }) => [line, line.heard()]))
    for (const { line, most, silent: seconds } of silent) if (seconds >= most) line.drop()
    if (silent.length > 0 || (isBeating && ++beats % ticksPerBeat === 0)) void askPulse()
  }
  const timer = setInterval(look, tickMilliseconds)
  timer.unref()
  return {
    beat: () => {
      isBeating = true
      void askPulse()
    },
    end: () => clearInterval(timer),
  }
}
