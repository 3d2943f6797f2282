/** A value in a scrape: its full name, labels and value. */
export type Value = { name: string; labels: Record<string, string>; value: number }
export type Scrape = {
  types: Record<string, string>
  values: Value[]
  /** The sum of the values with this name and these labels. */
  sum: (name: string, labels?: Record<string, string>) => number
}

const metric = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const sample = new RegExp(`^(${metric})(?:\\{(${label}(?:,${label})*)?\\})? (\\S+)$`)

/**
 * Reads Prometheus' text format (0.0.4) and throws at anything that doesn't conform: a line of another form, a value that isn't
 * a number, a family without its help and type before it or in two places, a series that appears twice.
 */
export const readExposition = (text: string): Scrape => {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const types: Record<string, string> = {}
  const helped = new Set<string>()
  const values: Value[] = []
  const series = new Set<string>()
  let family = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = new RegExp(`^# (HELP|TYPE) (${metric}) (.+)$`).exec(line)
    const [, word, name = '', rest = ''] = comment ?? []
    if (word === 'HELP') {
      if (helped.has(name)) throw new Error(`${name} comes twice`)
      helped.add(name)
      family = name
    } else if (word === 'TYPE') {
      if (name !== family || name in types || !/^(counter|gauge|histogram)$/.test(rest)) throw new Error(line)
      types[name] = rest
    } else values.push(readSample(line, family, types, series))
  }
  const sum: Scrape['sum'] = (name, labels = {}) =>
    values
      .filter((one) => one.name === name && Object.entries(labels).every(([key, text]) => one.labels[key] === text))
      .reduce((total, { value }) => total + value, 0)
  return { types, values, sum }
}

const readSample = (line: string, family: string, types: Record<string, string>, series: Set<string>): Value => {
  const [, name = '', inner = '', number = ''] = sample.exec(line) ?? []
  const isOfFamily = types[family] === 'histogram' ? /^_(bucket|sum|count)$/.test(name.slice(family.length)) : true
  const belongs = types[family] === 'histogram' ? name.startsWith(family) && isOfFamily : name === family
  if (!name || !belongs || !types[family]) throw new Error(`not a sample of ${family}: ${line}`)
  if (!/^[-+]?(\d+(\.\d+)?(e[-+]?\d+)?|Inf)$/i.test(number)) throw new Error(`not a number: ${line}`)
  if (series.has(`${name} ${inner}`)) throw new Error(`comes twice: ${line}`)
  series.add(`${name} ${inner}`)
  const pairs = [...inner.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text])
  return { name, labels: Object.fromEntries(pairs), value: Number(number) }
}
