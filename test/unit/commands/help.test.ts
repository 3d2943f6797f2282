import { expect, test } from 'bun:test'
import type { Io } from '../../../src/commands/command.ts'
import { commands } from '../../../src/commands/index.ts'
import { runWords } from '../../../src/commands/run.ts'
import { settingsHelp } from '../../../src/commands/settings.ts'
import { readConfig } from '../../../src/config.ts'
import { settingNames } from '../../../src/settings.ts'

const shown = (name: string) => new RegExp(`^ +${name} +(\\S+)`, 'm').exec(settingsHelp())?.[1]

test('every setting is in the help of serve', () => {
  expect(settingNames().length).toBeGreaterThan(50)
  expect(settingNames().filter((name) => !new RegExp(`\\b${name}\\b`).test(settingsHelp()))).toEqual([])
})

test('the help of serve has the defaults that hold', () => {
  const { host, port, databasePool, dataDir, brand, imageUrlTtlSeconds, trialDays, stripe, internalPoolLimit, limits } =
    readConfig({})
  const { maxBodyBytes, imageMaxBytes, importMaxBytes, batchInlineMax, batchMax } = readConfig({})
  const { concurrencyPerCaller, statementTimeoutMilliseconds } = readConfig({})
  expect(
    Object.entries({
      ...{ HOST: host, PORT: port, DATABASE_POOL: databasePool, DATA_DIR: dataDir, BRAND: brand },
      ...{ IMAGE_URL_TTL: imageUrlTtlSeconds, TRIAL_DAYS: trialDays, STRIPE_TIMEOUT: stripe.answerSeconds },
      ...{ MAX_BODY_BYTES: maxBodyBytes, IMAGE_MAX_BYTES: imageMaxBytes, IMPORT_MAX_BYTES: importMaxBytes },
      ...{ BATCH_INLINE_MAX: batchInlineMax, BATCH_MAX: batchMax },
      ...{ CONCURRENCY_PER_CALLER: concurrencyPerCaller, STATEMENT_TIMEOUT_MS: statementTimeoutMilliseconds },
      ...{ INTERNAL_POOL_LIMIT: internalPoolLimit, LIMIT_SESSION_PER_15_MINUTES: limits.session.limit },
      ...{ LIMIT_SESSION_ACCOUNT_ADDRESS_PER_15_MINUTES: 10, LIMIT_SESSION_ACCOUNT_PER_15_MINUTES: 100 },
    }).filter(([name, value]) => shown(name) !== String(value)),
  ).toEqual([])
})

test('help with the name of a command is the help of that command', async () => {
  const said: string[] = []
  const output = { isTTY: false, write: (text: string) => void said.push(text) }
  const io = {
    stdin: new Blob().stream(),
    stdout: output,
    stderr: output,
    cwd: '.',
    signal: new AbortController().signal,
  }
  const help = (...words: string[]) => runWords(commands, words, io as unknown as Io, () => Promise.resolve(1 as const))
  expect(await help('help', 'user', 'create')).toBe(0)
  expect(said.pop()).toStartWith('Usage: cardstock user create ')
  expect(await help('help', 'nonsense')).toBe(2)
})
