import * as engine from 'bun:jsc'
import { existsSync, readFileSync } from 'node:fs'

/** The longest turn of the event loop that a watch lets pass, in milliseconds (decisions.md §22). */
const longestMilliseconds = 100

/**
 * Does some work and throws if a turn of the event loop was longer than 100 ms meanwhile, with the stack that was seen most in
 * it. This thread's processor time counts, so that a busy machine fails nothing.
 */
export const inShortTurns = async <T>(work: () => Promise<T>): Promise<T> => {
  engine.startSamplingProfiler()
  let last = now()
  let long: { milliseconds: number; stack: string } | undefined
  const look = () => {
    const at = now()
    const milliseconds = Math.min(at.wall - last.wall, at.processor - last.processor)
    const traces = readTraces()
    if (milliseconds > Math.max(longestMilliseconds, long?.milliseconds ?? 0))
      long = { milliseconds, stack: mostSeen(traces) }
    last = now()
  }
  const timer = setInterval(look, 5)
  try {
    const result = await work()
    look()
    if (long) throw new Error(`A turn took ${Math.round(long.milliseconds)} ms:\n${long.stack}`)
    return result
  } finally {
    clearInterval(timer)
    stopSampling()
  }
}

/** Nothing else ends the sampling, which would keep what it sees for as long as the process lives, and slow down the other tests. */
const stopSampling = () => engine.profile(() => undefined)

const now = () => ({ wall: performance.now(), processor: processorTime() })

/** How long this thread has run, where the system says so: others collect garbage and compile meanwhile. Else how long all have. */
const processorTime = () => {
  if (existsSync(ofThread)) return Number(readFileSync(ofThread, 'latin1').split(' ')[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const ofThread = '/proc/thread-self/schedstat'

type Trace = { frames: { name: string; sourceURL?: string; line?: number }[] }

/** The stacks since the last call, a few in each millisecond. */
const readTraces = () =>
  (engine as unknown as { samplingProfilerStackTraces: () => { traces: Trace[] } }).samplingProfilerStackTraces().traces

const mostSeen = (traces: Trace[]): string => {
  const counts = new Map<string, number>()
  for (const { frames } of traces) {
    const stack = frames.map(({ name, sourceURL = '', line = 0 }) => `  ${name} (${sourceURL}:${line})`).join('\n')
    counts.set(stack, (counts.get(stack) ?? 0) + 1)
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? '  (no stack was seen)'
}
