import { until } from './until.ts'

/** How a storm of writers went: the id that was answered for each number, and every status that came. */
export type KeyedWrites = { ids: Map<string, string>; statuses: Set<number> }

const atOnce = 32

/**
 * Has 32 writers post cards to the service at an address, each with a key of its own, and again until it is made. While they
 * write, `turn` does something to the database, and may wait for the next write that is made. They end some cards after it.
 */
export const writeWhile = async (
  address: string,
  operator: Record<string, string>,
  turn: (next: () => Promise<void>) => Promise<void>,
): Promise<KeyedWrites> => {
  const [ids, statuses] = [new Map<string, string>(), new Set<number>()]
  let [isOver, isGivenUp] = [false, false]
  const post = async (path: string, document: unknown, key: string): Promise<string> => {
    while (!isGivenUp) {
      const answer = await fetch(`${address}${path}`, {
        ...{ method: 'POST', body: JSON.stringify(document) },
        headers: { ...operator, 'Content-Type': 'application/vnd.api+json', 'Idempotency-Key': key },
      })
      statuses.add(answer.status)
      const { data } = (await answer.json()) as { data?: { id: string } }
      if (data) return data.id
      await Bun.sleep(20)
    }
    throw new Error('The storm was given up.')
  }
  const set = await post('/v1/sets', { data: { type: 'sets', attributes: { name: 'Base' } } }, 'set')
  const relationships = { set: { data: { type: 'sets', id: set } } }
  let no = 0
  const write = async () => {
    while (!isOver) {
      const number = String(++no)
      const card = { data: { type: 'cards', attributes: { number }, relationships } }
      ids.set(number, await post('/v1/cards', card, `card-${number}`))
    }
  }
  const writers = Promise.all(Array.from({ length: atOnce }, write))
  const more = async (count: number) => {
    const before = ids.size
    await until(() => ids.size >= before + count)
  }
  const drive = async () => {
    await more(100)
    await turn(() => more(1))
    await more(200)
    isOver = true
  }
  try {
    await Promise.all([drive(), writers])
  } finally {
    isGivenUp = true
  }
  return { ids, statuses }
}
