const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof levels)[number]
export const logLevels: readonly string[] = levels

type Fields = Record<string, unknown>
type Write = (event: string, fields?: Fields) => void

/** One line an event: JSON for machines, words where somebody watches. Never an address, a token or a body. */
export type Log = { debug: Write; info: Write; warn: Write; error: Write }

/** A log that writes to standard error, from a level upwards. */
export const openLog = (
  from: LogLevel = 'info',
  out: { write: (text: string) => unknown; isTTY?: boolean } = process.stderr,
): Log => {
  const writer =
    (level: LogLevel): Write =>
    (event, fields = {}) => {
      if (levels.indexOf(level) < levels.indexOf(from)) return
      out.write(
        out.isTTY
          ? readable(level, event, fields)
          : `${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })}\n`,
      )
    }
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}

const readable = (level: LogLevel, event: string, fields: Fields) => {
  const words = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${new Date().toISOString().slice(11, 19)} ${level === 'info' ? '' : `${level} `}${event} ${words.join(' ')}\n`
}
