import { type BeforeRow, inTurn, pairs, rowOf, type Side } from './sides.ts'

/** Imports once more into the same database. Answers the processor time of the import's process in seconds. */
type Importing = () => Promise<{ processor: number }>

/**
 * Compares two builds that import the same in turns: into an empty database, which `begin` makes, and again into the full one. The time
 * on the clock, and the processor time of the process, on which other work of the machine weighs less.
 */
export async function* compareImports(
  rounds: number,
  place: string,
  begin: (side: Side) => Promise<Importing>,
): AsyncGenerator<BeforeRow> {
  const first = { clock: pairs(), processor: pairs() }
  const again = { clock: pairs(), processor: pairs() }
  for (let round = 0; round < rounds; round++)
    for (const side of inTurn(round)) {
      const importAll = await begin(side)
      for (const times of [first, again]) {
        const started = performance.now()
        const { processor } = await importAll()
        times.clock[side].push((performance.now() - started) / 1000)
        times.processor[side].push(processor)
      }
    }
  yield rowOf(`import of the collection, ${place}`, first.clock, 's', 1.05)
  yield rowOf(`the processor time of that import, ${place}`, first.processor, 's', 1.05)
  yield rowOf(`the same import again, ${place}`, again.clock, 's', 1.05)
  yield rowOf(`the processor time of the import again, ${place}`, again.processor, 's', 1.05)
}
