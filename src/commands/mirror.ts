import { findMirror, markMirror, unmarkMirror } from '../access/mirror.ts'
import { startMirroring } from '../catalog/sync/mirror/mirroring.ts'
import { openSource, readSourceUrl, type Source, SourceFault } from '../catalog/sync/mirror/source.ts'
import { requireMirrorable } from '../catalog/sync/mirror/state.ts'
import { readConfig } from '../config.ts'
import { type Context, openContext } from '../context.ts'
import { openLog } from '../lib/log.ts'
import { answer, jsonFlag } from './answers.ts'
import { type Command, type Commands, type ExitCode, Failed, type Io, WrongUsage } from './command.ts'
import { on, readFlags, text } from './flags.ts'
import { onceFree } from './once-free.ts'
import { serveUntilStopped, warnOfDefaults } from './serve.ts'

const flagsTaken = { key: text, token: text, stop: on, ...jsonFlag } as const

/** The command `mirror`: serves a copy of another service's catalog and keeps it up to date. */
export const mirror = (commands: () => Commands): Command => ({
  name: 'mirror',
  summary: 'run a read-only copy of another service and keep it up to date',
  help: `Usage: cardstock mirror URL --key KEY
       cardstock mirror URL --token TOKEN
       cardstock mirror --stop [--json]

Works like cardstock serve, but with a copy of the published catalog of the service at URL. It loads that service's bulk files,
then follows its changes. Nothing else can write to the catalog (403 READ_ONLY_MIRROR). Accounts, credentials and limits are
this service's own. The database must be empty or already mirror the same service. It stays a mirror, even under cardstock
serve, until you stop it. If the command is killed, run it again and it continues.

  --key KEY       a subscriber key for the service at URL, on any plan
  --token TOKEN   a token for the service at URL with the scope read:published
  --stop          stop following the service and make the catalog writable
  --json          with --stop: print {"stopped","source"}
`,
  run: (context, args, io) => {
    const { flags } = readArgs(args)
    if (flags.stop) return stop(context, flags, io)
    throw new Failed('A server is already running on this DATA_DIR.')
  },
  alone: async (args, io) => {
    const { flags, words } = readArgs(args)
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

const readArgs = (args: string[]) => readFlags(args, flagsTaken, ['URL'], { modes: ['stop'] })

const readUrl = (given: string) => {
  const url = readSourceUrl(given)
  if (!url) throw new WrongUsage('URL must be the address of the other service, such as https://cards.example.org')
  return url
}

const readSecret = ({ key, token }: { key?: string; token?: string }) => {
  const secret = (key ?? token ?? '').trim()
  if (!/^[\x21-\x7e]+$/.test(secret) || (key !== undefined && token !== undefined))
    throw new WrongUsage('Give either --key or --token for the other service')
  return secret
}

/** Marks the database as a mirror. Fails if it already has a catalog or if the source refuses the credential. */
const begin = async ({ db, log }: Context, source: Source) => {
  const marked = await findMirror(db)
  if (marked && marked.source !== source.url)
    throw new Failed(`This database mirrors ${marked.source}. Stop that first with cardstock mirror --stop.`)
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
      ? `The catalog no longer follows ${found.source} and can be edited here.`
      : 'This database is not a mirror.',
  ])
}
