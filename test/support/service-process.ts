import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueCredential } from '../../src/access/credentials.ts'
import { readConfig } from '../../src/config.ts'
import { type Context, openContext } from '../../src/context.ts'
import { openLog } from '../../src/lib/log.ts'
import { brief } from './brief.ts'
import { agree, aUser } from './callers.ts'
import { clonedDatabase } from './cloned-database.ts'
import { until } from './until.ts'

const main = join(import.meta.dir, '../../src/main.ts')

/** Like `openProcesses`, until the end of the file. */
export const serviceProcesses = async (...how: Parameters<typeof openProcesses>) => {
  const processes = await openProcesses(...how)
  afterAll(processes.end)
  return processes
}

/**
 * A database that service processes share, one after the other if it is embedded, and functions that start them. `operator` is
 * the header of someone who may do everything. `end` stops and removes everything. `before` are the words of a program that
 * starts them. With an `executable`, they are that, as somebody runs it.
 */
export const openProcesses = async (
  settings: Record<string, string> = {},
  before: string[] = [],
  executable?: string,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-served-'))
  const server = settings.DATABASE_URL ? undefined : process.env.TEST_DATABASE_URL
  const cloned = server ? await clonedDatabase(server) : undefined
  const environment = {
    ...(cloned ? { DATABASE_URL: cloned.url } : {}),
    ...{ DATA_DIR: folder, APP_ENV: 'development', PORT: '0', ...settings },
  }
  const children: Bun.Subprocess[] = []
  const end = async () => {
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map(({ exited }) => exited))
    await cloned?.drop()
    rmSync(folder, { recursive: true, force: true })
  }
  const withContext = async <T>(work: (context: Context) => Promise<T>) => {
    const context = await openContext(readConfig(environment), openLog('silent'))
    return work(context).finally(() => context.db.close())
  }
  const operator = await withContext(async (context) => {
    const owner = await aUser(context, { operator: true, status: 'none' })
    const now = context.clock.now()
    const { id, secret } = await issueCredential(context.db, 'session', owner, context.config, now)
    await agree(context.db, id, { limit: 1_000_000, windowSeconds: 3600 }, { now, internalPoolLimit: 0 })
    return { Authorization: `Bearer ${secret}` }
  })
  const start = (...words: string[]) => {
    const program = executable ? [executable] : [process.execPath, main]
    const child = Bun.spawn([...before, ...program, ...words], {
      env: { PATH: process.env.PATH, ...(executable ? {} : brief), HOME: folder, ...environment },
      ...{ stdout: 'pipe', stderr: 'pipe' },
    })
    children.push(child)
    let [out, log] = ['', '']
    const heard = [
      (async () => {
        for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) out += piece
      })(),
      (async () => {
        for await (const piece of child.stderr.pipeThrough(new TextDecoderStream())) log += piece
      })(),
    ]
    /** Its exit code, once all its output has arrived. */
    const ended = async () => {
      await Promise.all(heard)
      return child.exited
    }
    return { child, out: () => out, log: () => log, ended }
  }
  const serve = async (...words: string[]) => {
    const { child, log } = start(...(words.length > 0 ? words : ['serve']))
    const addressOf = () => /"address":"([^"]+)"/.exec(log())?.[1]
    await until(() => addressOf() !== undefined)
    return { child, log, address: addressOf() as string }
  }
  return { isShared: Boolean(cloned), operator, start, serve, withContext, end }
}
