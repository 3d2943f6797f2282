import { expect } from 'bun:test'

type Fetch = (path: string) => Promise<Response>

const atOnce = 16
/** How many answers are waited for before and after something happens. */
const enough = 400

/**
 * Reads lists that no cache has, many at once, while something happens, and a while before and after it. Expects that each is
 * answered, 99 of 100 within 2.5 seconds.
 */
export const readWhile = async (fetch: Fetch, happens: () => Promise<unknown>): Promise<void> => {
  const seconds: number[] = []
  const refused: string[] = []
  let isOver = false
  let no = Math.trunc(Math.random() * 1e9)
  const read = async () => {
    while (!isOver) {
      const began = performance.now()
      const answer = await fetch(`/v2/sets?filter[name]=Nobody${no++}`)
      const text = await answer.text()
      if (answer.status !== 200) refused.push(text)
      seconds.push((performance.now() - began) / 1000)
    }
  }
  const more = async () => {
    const before = seconds.length
    while (seconds.length < before + enough) await Bun.sleep(10)
  }
  const drive = async () => {
    await more()
    await happens()
    await more()
    isOver = true
  }
  await Promise.all([drive(), ...Array.from({ length: atOnce }, read)])
  expect(refused).toEqual([])
  expect(seconds.toSorted((a, b) => a - b)[Math.trunc(seconds.length * 0.99)]).toBeLessThan(2.5)
}
