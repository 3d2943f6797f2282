/** One value of a family. Label values may be any text. */
export type Sample = { labels?: Record<string, string>; value: number; suffix?: string }
/** A Prometheus metric family. `across` says what several processes make of their values; usually it's the sum. */
export type Family = {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: Sample[]
  across?: 'max' | 'min'
}

const family =
  (type: Family['type']) =>
  (name: string, help: string, values: number | Sample[]): Family => ({
    name,
    help,
    type,
    samples: typeof values === 'number' ? [{ value: values }] : values,
  })

/** A family of counters or gauges, with its samples or its only value. */
export const counter = family('counter')
export const gauge = family('gauge')

/** The media type of Prometheus's text format. */
export const exposition = 'text/plain; version=0.0.4; charset=utf-8'

/** Writes families in Prometheus's text format. Those without a value are left out. */
export const writeFamilies = (families: Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(
      ({ name, help, type, samples }) =>
        `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((sample) => line(name, sample)).join('')}`,
    )
    .join('')

const line = (name: string, { labels = {}, value, suffix = '' }: Sample) => {
  const words = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${suffix}${words.length > 0 ? `{${words.join(',')}}` : ''} ${value}\n`
}

const escaped = (text: string) => text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')
