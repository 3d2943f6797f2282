import type { Log } from '../src/lib/log.ts'
import type { Asker } from './turns.ts'

/** A statement that has ended: its text, without the values of its parameters, and when it was sent, by `performance.now()`. */
export type EndedStatement = { text: string; sentAt: number; error?: unknown }

/** Is told of each statement when it is asked for. What it returns is told how the statement ended. */
export type Watch = (asker: Asker) => (ended: EndedStatement) => void

const longestText = 1000

/** Logs statements that take longer than this, with what they were for. Never the values of their parameters. */
export const logSlowStatements =
  (log: Log, slowMilliseconds: number): Watch =>
  ({ purpose, origin }) =>
  ({ text, sentAt, error }) => {
    const milliseconds = Math.round(performance.now() - sentAt)
    if (milliseconds < slowMilliseconds) return
    const statement = text.replace(/\s+/g, ' ').trim().slice(0, longestText)
    const { code } = (error ?? {}) as { code?: string }
    log.warn('slow statement', { ...purpose, milliseconds, request_id: origin?.request_id, code, statement })
  }
