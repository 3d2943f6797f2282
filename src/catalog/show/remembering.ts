import { levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { unlessKnown } from '../../http/conditional.ts'
import { asksForDrafts } from '../../http/respond.ts'
import type { Call, Reply } from '../../http/route.ts'

/** An answer, and whether it follows from the catalog and the question alone: a signed address of an image ends. */
export type Made = { reply: Reply; lasts: boolean }

type Kept = { state: string; reply: Reply }
type Memory = { young: Map<string, Kept>; old: Map<string, Kept>; characters: number }

/** How many characters a generation holds; there are two, so that what is asked for again stays. */
const charactersInGeneration = 12_000_000

/**
 * Answers a read with what it answered before, while the catalog is the same: the database says so in the statement that
 * admits the caller (`Call.catalogState`), so that nothing is answered that was not true when the caller was admitted. What the caller has already is a 304.
 */
export const remembering =
  (make: (context: Context, call: Call) => Promise<Made>) =>
  async (context: Context, call: Call): Promise<Reply> => {
    return unlessKnown(call.request, await recall(make, context, call))
  }

const recall = async (make: (context: Context, call: Call) => Promise<Made>, context: Context, call: Call) => {
  const state = call.catalogState
  if (state === undefined) return (await make(context, call)).reply
  const memory = memoryOf(context)
  const question = questionOf(context, call)
  const known = memory.young.get(question) ?? memory.old.get(question)
  if (known?.state === state) {
    if (!memory.young.has(question)) keep(memory, question, known)
    return known.reply
  }
  const { reply, lasts } = await make(context, call)
  if (lasts) keep(memory, question, { state, reply })
  return reply
}

/** By the meter of the process: each request has a context of its own. */
const memories = new WeakMap<Context['meter'], Memory>()

const memoryOf = ({ meter }: Context): Memory => {
  const memory = memories.get(meter) ?? { young: new Map(), old: new Map(), characters: 0 }
  memories.set(meter, memory)
  return memory
}

/** All of a request that its answer follows from. */
const questionOf = ({ config }: Context, { caller, request, url }: Call) =>
  `${levelOf(caller)} ${asksForDrafts(request, config.brand)} ${url.pathname}${url.search}`

const keep = (memory: Memory, question: string, kept: Kept) => {
  memory.young.set(question, kept)
  memory.characters += question.length + String(kept.reply.body ?? '').length
  if (memory.characters <= charactersInGeneration) return
  memory.old = memory.young
  memory.young = new Map()
  memory.characters = 0
}
