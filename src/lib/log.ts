const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const
type LogLevel = (typeof levels)[number]
export const logLevels: readonly LogLevel[] = levels

const formats = ['auto', 'json', 'text'] as const
type LogFormat = (typeof formats)[number]
export const logFormats: readonly LogFormat[] = formats

type Fields = Record<string, unknown>
type Write = (event: string, fields?: Fields) => void

/** One line per event. Never an address, a token or a body. */
export type Log = { debug: Write; info: Write; warn: Write; error: Write }

type Out = { write: (text: string) => unknown; isTTY?: boolean }

/**
 * A log that writes to standard error, starting at a level. `auto` is text at a terminal and JSON elsewhere. Every line has the
 * fields in `common`.
 */
export const openLog = (
  from: LogLevel = 'info',
  format: LogFormat = 'auto',
  out: Out = process.stderr,
  common: Fields = {},
): Log => {
  const isText = format === 'text' || (format === 'auto' && out.isTTY === true)
  const writer =
    (level: LogLevel): Write =>
    (event, own = {}) => {
      if (levels.indexOf(level) < levels.indexOf(from)) return
      const fields = { ...common, ...own }
      out.write(
        isText
          ? readable(level, event, fields)
          : `${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })}\n`,
      )
    }
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}

const readable = (level: LogLevel, event: string, fields: Fields) => {
  const words = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return `${new Date().toISOString().slice(11, 19)} ${level === 'info' ? '' : `${level} `}${event} ${words.join(' ')}\n`
}
