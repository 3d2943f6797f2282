import { createHash } from 'node:crypto'
import type { Database } from '../../db/client.ts'
import { OutcomeUnknown } from '../../db/late.ts'
import { asOne } from '../../db/within.ts'
import type { Caller } from '../access/caller.ts'
import { type Claim, claimKey, findKept, holdKey, type Kept, keepAnswer } from '../access/kept-answers.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../jsonapi/errors.ts'
import { idempotencyKeyInUse, idempotencyKeyInvalid, idempotencyKeyReused } from '../jsonapi/idempotency.ts'
import { jsonApi } from '../jsonapi/negotiate.ts'
import { sizes } from '../limits.ts'
import { packReply, unpackReply } from './kept-reply.ts'
import { errorReply } from './respond.ts'
import { type Call, type Commit, mediaTypeOf, type Reply, type Route } from './route.ts'

/** The key of a request. Undefined without one, or without a credential. 400 if it isn't 1 to 255 visible ASCII characters. */
export const readKey = (headers: Headers, { credentialId }: Caller): string | undefined => {
  const key = headers.get('idempotency-key')
  if (key === null || credentialId === null) return undefined
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > sizes.idempotencyKey.most) throw idempotencyKeyInvalid()
  return key
}

/** Commits at once whatever the work commits: what a request without a key does. */
export const commitAsItGoes: Commit = (context, work) => work(context)

/** The keys whose requests this process is working on. On a server, their rows are held as well, for other processes. */
const atWork = new WeakMap<Database, Set<string>>()

/**
 * Answers a request with a key as the route does, or as it did before. The answer is kept in the transaction of its write: all
 * that the route does is one transaction, or, if it `commitsItself`, the part that it passes to `call.commit`
 * (docs/decisions/0021). `work` is the route's, with the refusals that come before it.
 */
export const answerOnce = async (
  context: Context,
  arrived: Call,
  { key, route, work }: { key: string; route: Route; work: Route['handle'] },
): Promise<Reply> => {
  const held = atWork.getOrInsertComputed(context.db.shared, () => new Set<string>())
  const credentialId = arrived.caller.credentialId ?? ''
  const name = `${credentialId} ${key}`
  if (held.has(name)) throw idempotencyKeyInUse()
  held.add(name)
  try {
    const { call, hash } = readAsked(arrived, route)
    // Nobody waits for a slow body with a transaction open.
    if (!route.body?.isStreamed) await hash()
    const claim = { credentialId, key, now: call.now }
    await claimKey(context.db, claim).catch((error) => {
      // Nothing was done yet, so the outcome is known.
      throw error instanceof OutcomeUnknown ? error.cause : error
    })
    const keeping = { context, call, claim, route, hash }
    return route.commitsItself ? await commitItself(keeping, work) : replyOf(await keep(keeping, context, work))
  } finally {
    held.delete(name)
  }
}

type Keeping = { context: Context; call: Call; claim: Claim; route: Route; hash: Hash }

/** What the route did: a reply, or what it threw. */
type Done = { reply: Reply } | { error: unknown }

const settled = async (make: () => Promise<Reply> | Reply): Promise<Done> => {
  try {
    return { reply: await make() }
  } catch (error) {
    return { error }
  }
}

const replyOf = (done: Done): Reply => {
  if ('reply' in done) return done.reply
  throw done.error
}

/** Another process was first. What was prepared for the commit is given up. */
class DoneMeanwhile extends Error {
  constructor(readonly reply: Reply) {
    super('Another request with this key was answered first.')
  }
}

const commitItself = async (keeping: Keeping, work: Route['handle']): Promise<Reply> => {
  const { context, call, claim, hash } = keeping
  const kept = await findKept(context.db, claim)
  if (kept) return repeat(keeping, kept, await hash())
  let hasCommitted = false
  const commit: Commit = async (own, make) => {
    hasCommitted = true
    const done = await keep(keeping, own, make)
    if (done.isRepetition) throw new DoneMeanwhile(replyOf(done))
    return replyOf(done)
  }
  const done = await settled(() => work(context, { ...call, commit }))
  if ('error' in done && done.error instanceof DoneMeanwhile) return done.error.reply
  return hasCommitted ? replyOf(done) : replyOf(await keep(keeping, context, () => replyOf(done)))
}

/** A request that ended without an answer. It isn't what the database failed with, so nothing begins again. */
class Unanswered extends Error {
  constructor(readonly reason: unknown) {
    super('The request ended without an answer.')
  }
}

/** Does the work and keeps its answer in one transaction. A refusal is kept, too, and undoes only what it refused. */
const keep = async (
  keeping: Keeping,
  context: Context,
  work: Route['handle'],
): Promise<Done & { isRepetition?: true }> => {
  const { call, claim, route, hash } = keeping
  const asked = await hash().catch(() => undefined)
  try {
    return await asOne(context.db, async (db, tx) => {
      const held = await holdKey(tx, claim)
      if (!held) throw idempotencyKeyInUse()
      if (held.kept) return { reply: await repeat(keeping, held.kept, asked), isRepetition: true }
      const done = await settled(() => work({ ...context, db }, call))
      const answer = answerOf(done, route, call)
      const packed = asked && isKept(answer.status) && (await packReply(context, answer, call.requestId))
      if (asked && packed) await keepAnswer(tx, claim, { asked, answer: packed })
      return done
    })
  } catch (error) {
    throw error instanceof Unanswered ? error.reason : error
  }
}

const repeat = ({ context, call }: Keeping, { asked, answer }: Kept, hash: Buffer | undefined): Promise<Reply> => {
  if (!hash?.equals(asked)) throw idempotencyKeyReused()
  return unpackReply(context, answer, call.requestId)
}

/** Neither what only concerns the caller nor what another try may change is kept. */
const isKept = (status: number) => ![401, 402, 403, 409, 429].includes(status)

/** The answer as it is sent. Unanswered for anything but a refusal below 500. */
const answerOf = (done: Done, route: Route, { requestId }: Call): Reply => {
  if ('reply' in done) return { mediaType: mediaTypeOf(route), ...done.reply }
  const { error } = done
  if (!(error instanceof ApiError) || error.status >= 500) throw new Unanswered(error)
  return { mediaType: jsonApi, ...(route.renderError?.(error) ?? errorReply(error, requestId)) }
}

/** The hash of a request: method, path, query, media type and body. Undefined if its body didn't arrive as a whole. */
type Hash = () => Promise<Buffer | undefined>

/** Hashes the body of a request as it is read. */
const readAsked = (call: Call, { body }: Route): { call: Call; hash: Hash } => {
  const { method, headers } = call.request
  const { pathname, search } = call.url
  const made = createHash('sha256').update(`${method} ${pathname}${search}\n${headers.get('content-type') ?? ''}\n`)
  const once = (make: Hash): Hash => {
    let made: ReturnType<Hash> | undefined
    return () => {
      made ??= make()
      return made
    }
  }
  if (!body?.isStreamed) return { call, hash: once(async () => made.update(await call.body()).digest()) }
  let isWhole = false
  const pieces = (async function* () {
    for await (const piece of call.stream()) {
      made.update(piece)
      yield piece
    }
    isWhole = true
  })()
  const rest = async () => {
    for await (const _ of pieces);
    return isWhole ? made.digest() : undefined
  }
  return { call: { ...call, stream: () => pieces }, hash: once(rest) }
}
