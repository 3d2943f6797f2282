import type { Log } from '../src/lib/log.ts'
import type { EndedStatement, Tracing } from '../src/lib/tracing.ts'
import type { Asker } from './turns.ts'

/** Is told of each statement when it is asked for. What it returns is told how the statement ended. */
export type Watch = (asker: Asker) => (ended: EndedStatement) => void

/** Shows statements in traces, and logs those that take longer than this. Undefined if there is neither. */
export const watchStatements = (
  log: Log,
  { slowMilliseconds, tracing }: { slowMilliseconds: number; tracing?: Tracing },
): Watch | undefined => {
  const logSlow = slowMilliseconds > 0 ? logSlowStatements(log, slowMilliseconds) : undefined
  if (!tracing) return logSlow
  return (asker) => {
    const logged = logSlow?.(asker)
    const shown = tracing.statement()
    return (ended) => {
      logged?.(ended)
      shown?.(ended)
    }
  }
}

const longestText = 1000

/** Logs statements that take longer than this, with what they were for. Never the values of their parameters. */
const logSlowStatements =
  (log: Log, slowMilliseconds: number): Watch =>
  ({ purpose, origin }) =>
  ({ text, sentAt, error }) => {
    const milliseconds = Math.round(performance.now() - sentAt)
    if (milliseconds < slowMilliseconds) return
    const statement = text.replace(/\s+/g, ' ').trim().slice(0, longestText)
    const { code } = (error ?? {}) as { code?: string }
    log.warn('slow statement', { ...purpose, milliseconds, request_id: origin?.request_id, code, statement })
  }
