import { attempt, type Outcome, type Surroundings } from '../../src/jobs/attempt.ts'
import { claim } from '../../src/jobs/claim.ts'
import type { Runnable } from '../../src/jobs/define.ts'
import { complete } from '../../src/jobs/settle.ts'

/** Runs due jobs one after the other until none is left, and returns what ran. Later jobs stay. */
export const workOff = async <World extends Surroundings>(
  world: World,
  jobs: readonly Runnable<World>[],
): Promise<{ id: string; name: string; outcome: Outcome }[]> => {
  const { db, clock } = world
  const holder = Bun.randomUUIDv7()
  const names = jobs.map(({ name }) => name)
  const ran: { id: string; name: string; outcome: Outcome }[] = []
  for (;;) {
    const [claimed] = await claim(db, clock, holder, names, 1)
    const job = jobs.find(({ name }) => name === claimed?.name)
    if (!claimed || !job) return ran
    const outcome = await attempt(world, job, claimed, {
      holder,
      signal: new AbortController().signal,
      completed: (done) => complete(db, clock, holder, [done]),
    })
    ran.push({ id: claimed.id, name: claimed.name, outcome })
  }
}
