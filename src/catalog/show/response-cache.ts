import { levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { unlessKnown } from '../../http/conditional.ts'
import { asksForDrafts } from '../../http/respond.ts'
import type { Call, Reply } from '../../http/route.ts'

/** An answer, and whether it only depends on the catalog and the request. One with a signed image URL doesn't, since the URL expires. */
export type Made = { reply: Reply; cacheable: boolean }

/** An answer and the state it was made in. A long text is `packed` instead of being the body. */
type Kept = { state: string; reply: Reply; packed?: Uint8Array }
/** Answers by question. */
type Generation = Map<string, Kept>
/** `asked` has the hashes of questions, each at its place. */
type Cache = { young: Generation; old: Generation; size: number; asked: Uint32Array }

/** The most bytes and characters of answers in a generation. There are two generations, so that entries in use stay. */
const mostInGeneration = 2_000_000
/**
 * Texts from this length on are compressed: a page of 25 cards to a tenth or less, in 40 µs. An answer that is unpacked takes about
 * 20 µs more.
 */
const longCharacters = 4000
/** How many questions are remembered as asked. */
const questionsRemembered = 2 ** 14

/**
 * Answers a read from the response cache as long as the catalog is unchanged. The statement that admits the caller also reads the catalog's
 * state (`Call.catalogState`), so an answer is never older than the admission (docs/decisions/0008). A caller who already has the answer
 * gets 304.
 */
export const cached =
  (make: (context: Context, call: Call) => Promise<Made>) =>
  async (context: Context, call: Call): Promise<Reply> => {
    const { request, catalogState: state } = call
    if (state === undefined) return unlessKnown(request, (await make(context, call)).reply)
    const cache = cacheOf(context)
    const question = questionOf(context, call)
    const young = cache.young.get(question)
    const known = young ?? cache.old.get(question)
    if (known?.state === state) {
      if (!young) keep(cache, question, known)
      const reply = unlessKnown(request, known.reply)
      return reply === known.reply ? unpacked(known) : reply
    }
    const { reply, cacheable } = await make(context, call)
    const isKept = isAskedAgain(cache, question) || known || cache.old.size === 0
    if (cacheable && isKept) keep(cache, question, packed(state, reply))
    return unlessKnown(request, reply)
  }

/** Caches by the meter of the process, since each request has its own context. */
const caches = new WeakMap<Context['meter'], Cache>()

const cacheOf = ({ meter }: Context): Cache =>
  caches.getOrInsertComputed(meter, () => ({
    young: new Map(),
    old: new Map(),
    size: 0,
    asked: new Uint32Array(questionsRemembered),
  }))

/** Everything in a request that the answer depends on. */
const questionOf = ({ config }: Context, { caller, request, url }: Call) =>
  `${levelOf(caller)} ${asksForDrafts(request, config.brand)} ${url.pathname}${url.search}`

/**
 * Whether a question was asked lately. Every answer is kept until the first generation is full; after that, only answers to questions that
 * come again, so that memory isn't filled with answers that are needed once. Questions share places: one may be forgotten early.
 */
const isAskedAgain = ({ asked }: Cache, question: string): boolean => {
  const hash = Bun.hash.crc32(question)
  const place = hash % questionsRemembered
  const isSame = asked[place] === hash
  asked[place] = hash
  return isSame
}

const packed = (state: string, reply: Reply): Kept => {
  const { body, ...rest } = reply
  if (typeof body !== 'string' || body.length < longCharacters) return { state, reply }
  return { state, reply: rest, packed: Bun.zstdCompressSync(body, { level: 1 }) }
}

const unpacked = ({ reply, packed }: Kept): Reply =>
  packed ? { ...reply, body: Bun.zstdDecompressSync(packed) } : reply

const keep = (cache: Cache, question: string, kept: Kept) => {
  cache.young.set(question, kept)
  cache.size += question.length + (kept.packed?.length ?? String(kept.reply.body ?? '').length)
  if (cache.size <= mostInGeneration) return
  cache.old = cache.young
  cache.young = new Map()
  cache.size = 0
}
