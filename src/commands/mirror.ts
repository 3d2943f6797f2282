import { findMirror, markMirror, unmarkMirror } from '../access/mirror.ts'
import { startMirroring } from '../catalog/sync/mirror/mirroring.ts'
import { openSource, readSourceUrl, type Source, SourceFault } from '../catalog/sync/mirror/source.ts'
import { requireMirrorable } from '../catalog/sync/mirror/state.ts'
import { readConfig } from '../config.ts'
import { type Context, openContext } from '../context.ts'
import { openLog } from '../lib/log.ts'
import { answer, jsonFlag } from './answers.ts'
import { type Command, type ExitCode, Failed, type Io, WrongUsage } from './command.ts'
import { readFlags } from './flags.ts'
import { onceFree } from './once-free.ts'
import { serveUntilStopped, warnOfDefaults } from './serve.ts'

const flagsTaken = {
  key: { type: 'string' },
  token: { type: 'string' },
  stop: { type: 'boolean' },
  ...jsonFlag,
} as const

/** The command `mirror`: serves a copy of another service's catalog, and follows it. */
export const mirror = (commands: () => Command[]): Command => ({
  name: 'mirror',
  summary: 'serve a read-only copy of another service and keep it up to date',
  help: `Usage: cardstock mirror URL --key KEY
       cardstock mirror URL --token TOKEN
       cardstock mirror --stop [--json]

Serves as cardstock serve does. The catalog is that of the service at URL, as far as it is published: it is filled from the
bulk files there, and follows the changes. Nothing else writes it (403 READ_ONLY_MIRROR); accounts, credentials and limits are
this service's own. The database must be empty, or be a mirror of the same service already; it stays one, also under
cardstock serve, until it is stopped. Killed on the way, the same command goes on.

  --key KEY       a subscriber key of the service at URL; that of any plan suffices
  --token TOKEN   a token of the service at URL with the scope read:published
  --stop          make the catalog this service's own: it can be written from then on, and follows nothing
  --json          with --stop: print {"stopped","source"}
`,
  run: (context, args, io) => {
    const { flags } = readFlags(args, flagsTaken)
    if (flags.stop) return stop(context, flags, io)
    throw new Failed('A server is running on this DATA_DIR already.')
  },
  alone: async (args, io) => {
    const { flags, words } = readFlags(args, flagsTaken, args.includes('--stop') ? [] : ['URL'])
    const config = readConfig()
    const log = openLog(flags.stop && config.logLevel === 'info' ? 'warn' : config.logLevel, config.logFormat)
    if (flags.stop) {
      const context = await openContext(config, log, { isBrief: true })
      return stop(context, flags, io).finally(() => context.db.close())
    }
    const source = openSource(readUrl(words[0] ?? ''), readSecret(flags))
    warnOfDefaults(config, log)
    const context = await onceFree(() => openContext(config, log), log)
    try {
      await begin(context, source)
    } catch (error) {
      await context.db.close()
      throw error
    }
    await serveUntilStopped(context, commands(), undefined, () => startMirroring(context, source))
    return 0
  },
})

const readUrl = (given: string) => {
  const url = readSourceUrl(given)
  if (!url) throw new WrongUsage('URL is the address of the other service, such as https://cards.example.org')
  return url
}

const readSecret = ({ key, token }: { key?: string; token?: string }) => {
  const secret = (key ?? token ?? '').trim()
  if (!/^[\x21-\x7e]+$/.test(secret) || (key !== undefined && token !== undefined))
    throw new WrongUsage('either --key or --token says with what the other service is read')
  return secret
}

/** Marks the database, unless it is marked; a catalog of its own, and a credential that the source refuses, end it here. */
const begin = async ({ db, log }: Context, source: Source) => {
  const marked = await findMirror(db)
  if (marked && marked.source !== source.url)
    throw new Failed(`This database mirrors ${marked.source}: cardstock mirror --stop ends that.`)
  if (!marked) {
    await requireWelcome(source)
    await db.transaction(async (tx) => {
      await requireMirrorable(tx)
      await markMirror(tx, source.url)
    })
  }
  log.info('mirror', { source: source.url })
}

const requireWelcome = (source: Source) =>
  source.read('/v2/bulk', new AbortController().signal).catch((error) => {
    const isRefused = error instanceof SourceFault && [400, 401, 402, 403, 404].includes(error.status ?? 0)
    if (isRefused) throw new Failed(error.message)
  })

const stop = async ({ db }: Context, { json }: { json?: boolean }, io: Io): Promise<ExitCode> => {
  const found = await findMirror(db)
  const stopped = await db.transaction(unmarkMirror)
  return answer(io, json, { stopped, source: found?.source ?? null }, [
    stopped && found
      ? `The catalog is this service's own now; it follows ${found.source} no more.`
      : 'This database is no mirror.',
  ])
}
