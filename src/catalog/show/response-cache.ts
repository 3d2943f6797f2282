import { levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { unlessKnown } from '../../http/conditional.ts'
import { asksForDrafts } from '../../http/respond.ts'
import type { Call, Reply } from '../../http/route.ts'

/** An answer, and whether it only depends on the catalog and the request. One with a signed image URL doesn't, since the URL expires. */
export type Made = { reply: Reply; cacheable: boolean }

type Kept = { state: string; reply: Reply }
/** Answers by question. Undefined marks a question whose answer wasn't kept. */
type Generation = Map<string, Kept | undefined>
type Cache = { young: Generation; old: Generation; characters: number }

/** The most characters of answers in a generation. There are two generations, so that entries in use stay. */
const charactersInGeneration = 12_000_000

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
    const known = cache.young.get(question) ?? cache.old.get(question)
    if (known?.state === state) {
      if (!cache.young.has(question)) keep(cache, question, known)
      return unlessKnown(request, known.reply)
    }
    const { reply, cacheable } = await make(context, call)
    if (cacheable) keep(cache, question, { state, reply })
    return unlessKnown(request, reply)
  }

/** Caches by the meter of the process, since each request has its own context. */
const caches = new WeakMap<Context['meter'], Cache>()

const cacheOf = ({ meter }: Context): Cache =>
  caches.getOrInsertComputed(meter, () => ({ young: new Map(), old: new Map(), characters: 0 }))

/** Everything in a request that the answer depends on. */
const questionOf = ({ config }: Context, { caller, request, url }: Call) =>
  `${levelOf(caller)} ${asksForDrafts(request, config.brand)} ${url.pathname}${url.search}`

/**
 * Keeps every answer until the first generation is full. After that, it only keeps answers to questions that come again within two
 * generations, so that memory isn't filled with answers that are needed once.
 */
const keep = (cache: Cache, question: string, kept: Kept) => {
  const isAskedAgain = cache.young.has(question) || cache.old.has(question)
  cache.young.set(question, isAskedAgain || cache.old.size === 0 ? kept : undefined)
  cache.characters += question.length + String(kept.reply.body ?? '').length
  if (cache.characters <= charactersInGeneration) return
  cache.old = cache.young
  cache.young = new Map()
  cache.characters = 0
}
