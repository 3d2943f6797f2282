import { levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { unlessKnown } from '../../http/conditional.ts'
import { asksForDrafts } from '../../http/respond.ts'
import type { Call, Reply } from '../../http/route.ts'

/** An answer, and whether it follows from the catalog and the question alone: the signed address of an image expires. */
export type Made = { reply: Reply; cacheable: boolean }

type Kept = { state: string; reply: Reply }
/** Answers by their question; undefined for one that was answered and not kept. */
type Generation = Map<string, Kept | undefined>
type Cache = { young: Generation; old: Generation; characters: number }

/** The most characters answered in a generation; there are two, so that entries in use stay. */
const charactersInGeneration = 12_000_000

/**
 * Answers a read from the response cache while the catalog is the same: the statement that admits the caller names its state
 * (`Call.catalogState`), so an answer is never older than the admission (docs/decisions/0008). A caller who has the answer gets a 304.
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

/** By the meter of the process: each request has a context of its own. */
const caches = new WeakMap<Context['meter'], Cache>()

const cacheOf = ({ meter }: Context): Cache =>
  caches.getOrInsertComputed(meter, () => ({ young: new Map(), old: new Map(), characters: 0 }))

/** All of a request that its answer follows from. */
const questionOf = ({ config }: Context, { caller, request, url }: Call) =>
  `${levelOf(caller)} ${asksForDrafts(request, config.brand)} ${url.pathname}${url.search}`

/**
 * Keeps everything until a generation is full, and from then on what is asked for again within two: answers that nobody asks for
 * twice would only fill the memory.
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
