import type { Transaction } from '../../../db/client.ts'
import { agree } from '../../access/agreements.ts'
import { logCredential } from '../../access/credential-log.ts'
import { type CredentialKind, endKey, findCredential, issueKey } from '../../access/credentials.ts'
import { holdPlans } from '../../access/plan-allowance.ts'
import { readStanding } from '../../accounts/subscriptions.ts'
import type { User } from '../../accounts/users.ts'
import type { Context } from '../../context.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import type { Allowance } from '../../limits.ts'
import { answer, dateOf, jsonFlag, positive, required } from '../answers.ts'
import { actNow, type Command, Failed, type Io, WrongUsage } from '../command.ts'
import { readFlags, text } from '../flags.ts'
import { requireUser } from './people.ts'

const target = { client: text, user: text } as const

export const limitSet: Command = {
  name: 'limit set',
  summary: 'give a client or an account its own rate limit',
  help: `Usage: cardstock limit set (--client ID | --user E) --limit N --window SECONDS [--from DATE] [--json]

A higher limit takes effect at once, or on the given date. A lower one takes effect after 30 days at the earliest.

  --client ID        an OAuth client, by its client_id: its tokens share this limit, separate from its account's
  --user E           or an account: one such limit for its key, and another one that its clients and tokens share
  --limit N          requests per window
  --window SECONDS   how long a window is
  --from DATE        when the limit takes effect, such as 2027-01-31
  --json             print {"limit","window_seconds","from"}
`,
  run: async (context, args, io) => {
    const options = { limit: text, window: text, from: text } as const
    const { flags } = readFlags(args, { ...target, ...options, ...jsonFlag })
    const wanted = { limit: positive(flags.limit, 'limit'), windowSeconds: positive(flags.window, 'window') }
    return change(context, io, flags, wanted, dateOf(flags.from, 'from', '2027-01-31'))
  },
}

export const limitClear: Command = {
  name: 'limit clear',
  summary: 'put a client or an account back on the usual rate limit',
  help: `Usage: cardstock limit clear (--client ID | --user E) [--json]

If the usual limit is lower, it takes effect after 30 days.

  --client ID   an OAuth client, by its client_id
  --user E      or an account
  --json        print {"limit","window_seconds","from"}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { ...target, ...jsonFlag })
    return change(context, io, flags, null, undefined)
  },
}

type Target = { client?: string; user?: string; json?: boolean }

const change = async (context: Context, io: Io, flags: Target, wanted: Allowance | null, from: Date | undefined) => {
  const { client, user, json } = flags
  if ((client === undefined) === (user === undefined)) throw new WrongUsage('Give either --client or --user')
  const { internalPoolLimit } = context.config
  const act = actNow(context)
  const { now } = act
  const agreeOn = async (tx: Transaction, kind: CredentialKind, id: string) => {
    const done = await agree(tx, id, wanted, { now, from, internalPoolLimit })
    const rate_limit = wanted && { limit: wanted.limit, window_seconds: wanted.windowSeconds }
    if (done?.isChanged) await logCredential(tx, act, kind, id, 'limit_changed', { rate_limit })
    return done
  }
  const agreed = await (client === undefined
    ? withKey(context, await requireUser(context, user), now, (tx, id) => agreeOn(tx, 'subscriber_key', id))
    : withClient(context, client, (tx, id) => agreeOn(tx, 'oauth_client', id)))
  if (!agreed) throw new Failed('The credential is revoked.')
  const { limit, windowSeconds } = agreed.allowance
  const since = agreed.from > now ? `from ${agreed.from.toISOString()}` : 'from now'
  const object = { limit, window_seconds: windowSeconds, from: agreed.from.toISOString() }
  return answer(io, json, object, [`${limit} requests in ${windowSeconds} seconds, ${since}.`])
}

type Work<T> = (tx: Transaction, credentialId: string) => Promise<T>

const withClient = async <T>({ db }: Context, given: string, work: Work<T>): Promise<T> => {
  const named = required(given, 'client')
  const id = isUuid(named) ? await findCredential(db, 'oauth_client', { id: named }) : undefined
  if (!id) throw new Failed(`There is no client ${named}.`)
  return db.transaction((tx) => work(tx, id))
}

/**
 * Works on an account's key, which carries its agreed limit. If an account on a plan has no key, it gets one that nobody sees and
 * that is revoked right away. The next key inherits the limit from it.
 */
const withKey = <T>({ db, config }: Context, owner: User, now: Date, work: Work<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await holdPlans(tx, [owner.id])
    const live = await findCredential(tx, 'subscriber_key', { userId: owner.id })
    if (live) return work(tx, live)
    const { plan } = await readStanding(tx, owner.id)
    if (!plan) throw new Failed(`${owner.email} has neither a plan nor a key. Create a key with cardstock key create.`)
    const { id } = await issueKey(tx, owner.id, config, now, plan)
    const done = await work(tx, id)
    await endKey(tx, owner.id, now)
    return done
  })
