import { WrongUsage } from '../../src/commands/command.ts'
import { readFlags } from '../../src/commands/flags.ts'

const parts = [
  ...['reads', 'fairness', 'lists', 'pages', 'search', 'import', 'batch', 'bulk', 'queue', 'actionable'],
  ...['merges', 'duplicates', 'pages-in-browser', 'storms', 'webhooks', 'mcp', 'client', 'memory', 'before'],
]

const usage = `Usage: bun run bench [--cards N] [--only PART,…] [--seconds N] [--rounds N] [--memory SECONDS] [--rows PATTERN] [--before PATH] [--keep]

Measures on the PostgreSQL that TEST_DATABASE_URL names, in databases of its own. Ratios count, not seconds: both sides of
each are measured in one run on one machine.

  --cards N        cards of the large catalog; 1000000 unless said otherwise
  --only PART,…    ${parts.join(', ')}: all of them unless said otherwise, before only with
                   --before; generate alone makes a catalog
  --seconds N      for how long each read, and actionable sets, are asked; 5 unless said otherwise; fairness takes four
                   times as long
  --rounds N       how often each side is measured; 5 unless said otherwise, an import 3 times
  --storm SECONDS  how long the storm of writers takes; 60 unless said otherwise
  --memory SECONDS how long each load goes on whose memory is measured; 60 unless said otherwise
  --rows PATTERN   which lists, pages and loads whose memory is measured
  --before PATH    an older executable, which dist/cardstock is compared with
  --keep           databases stay for the next run
`

/** What the bench is asked for. Ends the process with the usage for `--help`, and with a sentence for words it does not take. */
export const readWords = (words: string[]) => {
  try {
    return read(words)
  } catch (error) {
    if (!(error instanceof WrongUsage)) throw error
    process.stderr.write(`${error.message}. bun run bench --help says more.\n`)
    return process.exit(2)
  }
}

const read = (words: string[]) => {
  const { flags } = readFlags(words, {
    cards: { type: 'string', default: '1000000' },
    only: { type: 'string', default: parts.join(',') },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '' },
    storm: { type: 'string', default: '60' },
    memory: { type: 'string', default: '60' },
    rows: { type: 'string', default: '' },
    before: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  })
  if (flags.help) {
    process.stdout.write(usage)
    process.exit(0)
  }
  const only = new Set(flags.only.split(','))
  for (const part of only)
    if (part !== 'generate' && !parts.includes(part)) throw new WrongUsage(`--only knows no part ${part}`)
  const number = (name: 'cards' | 'seconds' | 'rounds' | 'storm' | 'memory', usual = '') => {
    const said = Number(flags[name] || usual)
    if (said > 0) return said
    throw new WrongUsage(`--${name} takes a number above 0`)
  }
  return {
    ...{ only, rows: new RegExp(flags.rows), keep: flags.keep, before: flags.before },
    ...{ cards: number('cards'), seconds: number('seconds') },
    ...{ rounds: number('rounds', '5'), importRounds: number('rounds', '3') },
    ...{ stormSeconds: number('storm'), memorySeconds: number('memory') },
  }
}
