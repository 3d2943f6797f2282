import { openDatabase } from '../../db/client.ts'
import { FolderInUse } from '../../db/embedded/lock.ts'
import { type Config, readConfig } from '../config.ts'
import { type Context, databaseOf, makeContext } from '../context.ts'
import { openLog } from '../lib/log.ts'
import { storageCodeOf } from '../lib/storage-fault.ts'
import { answer, jsonFlag } from './answers.ts'
import type { Command, ExitCode, Io } from './command.ts'
import { type Check, checks } from './doctor-checks.ts'
import { readFlags } from './flags.ts'
import { misspelledSettings } from './settings.ts'

/** With `warning`, nothing is broken, but someone should take a look. */
type Finding = { check: string; ok: boolean; detail: string; warning?: true }

export const doctor: Command = {
  name: 'doctor',
  summary: 'check the settings, database, replicas, storage, mail, jobs, proxies, mirror and Stripe',
  help: `Usage: cardstock doctor [--json]

Prints a line for each check, and changes nothing. If a check fails (FAULT), the exit code is 1.

  --json   print {"ok","checks":[{"check","ok","detail"}]}; a check that only warns also has "warning"
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, jsonFlag)
    const read = fine('configuration', 'read by the running server')
    return report(io, flags.json, [read, ...spelling(), ...(await examine(context))])
  },
  alone: async (args, io) => {
    const { flags } = readFlags(args, jsonFlag)
    const config = await found('configuration', async () => readConfig())
    if (!config.value) return report(io, flags.json, [config.finding, ...spelling()])
    const read = [{ ...config.finding, detail: 'all settings are fine' }, ...spelling()]
    const { databaseUrl } = config.value
    const opened = await found('database', () => open(config.value as Config))
    if (!opened.value) return report(io, flags.json, [...read, opened.finding])
    const context = opened.value
    const database = fine('database', databaseUrl ? 'PostgreSQL answers' : `embedded, in ${config.value.dataDir}`)
    const findings = await examine(context).finally(() => context.db.close())
    return report(io, flags.json, [...read, database, ...findings])
  },
}

const open = async (config: Config): Promise<Context> => {
  const db = await openDatabase({ ...databaseOf(config), isBrief: true })
  return makeContext({ config, db, log: openLog('silent'), secret: config.appSecret ?? 'unused' })
}

const examine = async (context: Context): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const check of checks) findings.push(await examineOne(context, check))
  return findings
}

const examineOne = async (context: Context, { name, run }: Check): Promise<Finding> => {
  const { value, finding } = await found(name, () => run(context))
  if (value === undefined) return finding
  return typeof value === 'string'
    ? { ...finding, detail: value }
    : { ...finding, detail: value.warning, warning: true }
}

const found = async <T>(check: string, look: () => Promise<T>): Promise<{ value?: T; finding: Finding }> => {
  try {
    return { value: await look(), finding: fine(check, '') }
  } catch (error) {
    if (error instanceof FolderInUse) throw error
    const { message } = error as Error
    // A server on a full disk may refuse even a connection.
    return check === 'database' && storageCodeOf(message) === '53100'
      ? { finding: { check: 'storage', ok: false, detail: `No space left on the database’s disk. ${message}` } }
      : { finding: { check, ok: false, detail: message } }
  }
}

const spelling = (): Finding[] =>
  misspelledSettings().map(({ name, meant }) => ({
    ...fine('spelling', `${name} is not a setting. Did you mean ${meant}?`),
    warning: true,
  }))

const fine = (check: string, detail: string): Finding => ({ check, ok: true, detail })

const report = async (io: Io, json: boolean | undefined, findings: Finding[]): Promise<ExitCode> => {
  const ok = findings.every((one) => one.ok)
  const lines = findings.map((one) => `${label(one)}  ${one.check.padEnd(13)}  ${one.detail}`)
  await answer(io, json, { ok, checks: findings }, lines)
  return ok ? 0 : 1
}

const label = ({ ok, warning }: Finding) => (ok ? (warning ? 'warn ' : 'ok   ') : 'FAULT')
