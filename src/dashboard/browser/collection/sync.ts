import { hearPuts, copyKey as keyOfCopy, type Mark, marksOf, putMarks, shortOf, textAt } from '../catalog/marks.ts'
import { get, post } from '../kit/api.ts'
import { at } from '../kit/settings.ts'
import type { Person } from '../settings.ts'
import { type Collected, keepCards, longOf, readKept, removeAll } from './kept.ts'

/** Whose collection the browser has a copy of, and in which state. It is loose if the browser went on without them. */
type Copy = { of: string; state: string; isLoose?: boolean }

/** What the service wasn't told yet, by the cards' ids. Null: taken out. */
type Unsent = Record<string, Mark | null>

const copyKey = keyOfCopy()
const unsentKey = (email: string) => `${at('')} unsent of ${email}`

const readJson = <T>(key: string): T | undefined => JSON.parse(textAt(key) ?? 'null') ?? undefined
const keep = (key: string, value: object) => localStorage.setItem(key, JSON.stringify(value))

let hasStarted = false
let following: string | undefined
let isApplying = false
let turn: Promise<unknown> = Promise.resolve()

/**
 * Keeps the browser's collection in step with that of who is signed in. When nobody is anymore, the copy is removed, unless
 * their session has only ended.
 */
export const follow = (person: Person | null, hasEnded: boolean) => {
  if (hasStarted && person?.email === following) return
  hasStarted = true
  const before = following
  following = person?.email
  hearPuts(person ? note : undefined)
  if (person) return inTurn(start)
  const copy = readJson<Copy>(copyKey)
  if (copy && (hasEnded || !before)) keep(copyKey, { ...copy, isLoose: true })
  else if (copy) forget()
}

/** One after the other. What fails is tried again with the next one. */
const inTurn = (work: (email: string) => Promise<unknown>) => {
  turn = turn.then(() => following && work(following)).catch(() => undefined)
}

const start = async (email: string) => {
  const copy = readJson<Copy>(copyKey)
  if (copy && copy.of !== email) forget()
  const isFirst = copy?.of !== email || copy.isLoose === true
  if (isFirst) await merge(copy?.of === email || !copy ? readKept() : [])
  await tell(email)
  await pull(email, isFirst)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') inTurn(sendAndPull)
  })
}

const sendAndPull = async (email: string) => {
  await tell(email)
  await pull(email)
}

/** Removes the copy, which the account has. */
const forget = () => {
  apply(removeAll)
  localStorage.removeItem(copyKey)
}

/** Changes the copy without telling the service so. */
const apply = (change: () => void) => {
  isApplying = true
  try {
    change()
  } finally {
    isApplying = false
  }
}

type Outcome = { before: string; state: string }
const mostAtOnce = 1000

/** Puts cards into the account's collection, where they win only over nothing. */
const merge = async (collection: Collected[]) => {
  const cards = collection.flatMap((one) =>
    (['have', 'want'] as const).flatMap((status) => one[status].map((card_id) => ({ card_id, status }))),
  )
  for (let from = 0; from < cards.length; from += mostAtOnce)
    await putBatch({ cards: cards.slice(from, from + mostAtOnce), keep: true })
}

const putBatch = (body: object) => post<Outcome>('/v1/user/collection/batch', body, { flat: true })

let timer: ReturnType<typeof setTimeout>

/** Notes what was ticked, and tells the service when the ticking pauses, or with the next page. */
const note = (cards: string[], mark?: Mark) => {
  if (isApplying || !following) return
  const key = unsentKey(following)
  const unsent = readJson<Unsent>(key) ?? {}
  for (const card of cards) unsent[longOf(card)] = mark ?? null
  keep(key, unsent)
  clearTimeout(timer)
  timer = setTimeout(() => inTurn(tell), 1000)
}

/** Tells the service what it wasn't told. If it knew nothing else, the copy is in its state afterwards. */
const tell = async (email: string) => {
  const key = unsentKey(email)
  for (;;) {
    const some = Object.entries(readJson<Unsent>(key) ?? {}).slice(0, mostAtOnce)
    if (some.length === 0) return
    const { before, state } = await putBatch({ cards: some.map(([card_id, status]) => ({ card_id, status })) })
    const unsent = readJson<Unsent>(key) ?? {}
    for (const [card, status] of some) if (unsent[card] === status) delete unsent[card]
    keep(key, unsent)
    const copy = readJson<Copy>(copyKey)
    if (copy?.state === before) keep(copyKey, { ...copy, state })
  }
}

/** Makes the copy what the account has. After a first merge, what the catalog doesn't know stays in the browser. */
const pull = async (email: string, isFirst = false) => {
  const known = readJson<Copy>(copyKey)?.state ?? ''
  const { state, sets } = await get<{ state: string; sets: ({ set_id: string } & Record<Mark, string[]>)[] | null }>(
    `/v1/user/collection/marks?state=${encodeURIComponent(known)}`,
  )
  if (Object.keys(readJson<Unsent>(unsentKey(email)) ?? {}).length > 0) return
  apply(() => {
    if (sets && !isFirst) dropOthers(sets)
    const cards = (sets ?? []).flatMap((one) =>
      (['have', 'want'] as const).flatMap((mark) => one[mark].map((id) => ({ set: one.set_id, id, mark }))),
    )
    keepCards(cards, true)
  })
  keep(copyKey, { of: email, state })
}

/** Takes out of the copy what isn't in these sets. */
const dropOthers = (sets: ({ set_id: string } & Record<Mark, string[]>)[]) => {
  const there = new Map(sets.map((one) => [one.set_id, new Set([...one.have, ...one.want].map(shortOf))]))
  for (const { set } of readKept()) {
    const gone = [...marksOf(set).keys()].filter((card) => !there.get(set)?.has(card))
    if (gone.length > 0) putMarks(set, gone)
  }
}
