import { afterAll, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { claim, recover } from '../../src/jobs/claim.ts'
import { defineJob, GiveUp, type Runnable } from '../../src/jobs/define.ts'
import { enqueue, enqueueAll } from '../../src/jobs/enqueue.ts'
import { findJob, listJobs, retryJob } from '../../src/jobs/read.ts'
import { waitSeconds } from '../../src/jobs/settle.ts'
import { sweepJobs } from '../../src/jobs/sweep.ts'
import { aQueueWorld, type QueueWorld } from '../support/queue-world.ts'
import { workOff } from '../support/work-off.ts'

const world = await aQueueWorld()
const { db, clock } = world
afterAll(() => db.close())

const seen: string[] = []
const note = defineJob({
  name: 'note',
  payload: Type.Object({ text: Type.String() }),
  run: async (_: QueueWorld, { text }) => {
    seen.push(text)
    return { length: text.length }
  },
})

const run = (...jobs: Runnable<QueueWorld>[]) => workOff(world, jobs)
const only = async (id: string) => {
  const job = (await listJobs(db)).find((one) => one.id === id)
  if (!job) throw new Error('the job is gone')
  return job
}

describe('enqueue', () => {
  test('a job runs with its payload and keeps its result', async () => {
    const id = await enqueue(db, note, { text: 'a "quoted" \u0000 é' }, { now: clock.now() })
    expect(await run(note)).toEqual([{ id, name: 'note', outcome: 'completed' }])
    expect(seen.splice(0)).toEqual(['a "quoted" \u0000 é'])
    expect(await findJob(db, 'note', id, clock.now())).toMatchObject({ status: 'completed', result: { length: 14 } })
  })

  test('a job of a transaction that is rolled back never was', async () => {
    const refused = db.transaction(async (tx) => {
      await enqueue(tx, note, { text: 'never' }, { now: clock.now() })
      throw new Error('no')
    })
    await expect(refused).rejects.toThrow('no')
    expect(await run(note)).toEqual([])
  })

  test('the same key is one job, queued or done', async () => {
    const terms = { now: clock.now(), key: 'once' }
    const [first, second] = [
      await enqueue(db, note, { text: '1' }, terms),
      await enqueue(db, note, { text: '2' }, terms),
    ]
    expect(await run(note)).toHaveLength(1)
    const third = await enqueue(db, note, { text: '3' }, terms)
    expect([second, third]).toEqual([first, first])
    expect(await run(note)).toEqual([])
    expect(seen.splice(0)).toEqual(['1'])
  })

  test('many at once keep their order, and a key that stands twice among them is one', async () => {
    const ids = await enqueueAll(
      db,
      note,
      [{ payload: { text: 'a' } }, { payload: { text: 'b' }, key: 'twice' }, { payload: { text: 'c' }, key: 'twice' }],
      clock.now(),
    )
    expect(ids[1]).toBe(ids[2] as string)
    expect(ids[0]).not.toBe(ids[1] as string)
    await run(note)
    expect(seen.splice(0)).toEqual(['a', 'b'])
  })

  test('a payload of another form is refused where it is enqueued', async () => {
    const wrong = { text: 1 } as unknown as { text: string }
    await expect(enqueue(db, note, wrong, { now: clock.now() })).rejects.toThrow('/text')
  })

  test('the higher priority goes first, then the older', async () => {
    const now = clock.now()
    await enqueue(db, note, { text: 'low' }, { now, priority: -1 })
    await enqueue(db, note, { text: 'older' }, { now })
    await enqueue(db, note, { text: 'newer' }, { now: new Date(now.getTime() + 5) })
    await enqueue(db, note, { text: 'high' }, { now, priority: 5 })
    await run(note)
    expect(seen.splice(0)).toEqual(['high', 'older', 'newer', 'low'])
  })

  test('a job for later runs when the service says that it is later', async () => {
    const now = clock.now()
    await enqueue(db, note, { text: 'tomorrow' }, { now, runAt: new Date(now.getTime() + 86_400_000) })
    expect(await run(note)).toEqual([])
    clock.offsetSeconds = 86_401
    expect(await run(note)).toHaveLength(1)
    clock.offsetSeconds = 0
    seen.length = 0
  })

  test('a job of a name that this process does not know stays for one that does', async () => {
    await enqueue(db, { ...note, name: 'of_tomorrow' }, { text: 'x' }, { now: clock.now() })
    expect(await run(note)).toEqual([])
    expect(await run({ ...note, name: 'of_tomorrow' })).toHaveLength(1)
  })
})

describe('a job that fails', () => {
  let reason: Error | undefined = new Error('broken')
  const poison = defineJob({
    name: 'poison',
    attempts: 3,
    run: async (_: QueueWorld) => {
      if (reason) throw reason
    },
  })

  test('comes again after a growing wait, has failed after the last, and runs again when it is retried', async () => {
    const id = await enqueue(db, poison, {}, { now: clock.now() })
    for (const attempt of [1, 2]) {
      expect(await run(poison)).toMatchObject([{ outcome: 'queued' }])
      expect(await run(poison)).toEqual([])
      expect(await only(id)).toMatchObject({ status: 'queued', attempts: attempt, last_error: 'broken' })
      clock.offsetSeconds += waitSeconds(attempt, 1) + 1
    }
    expect(await run(poison)).toMatchObject([{ outcome: 'failed' }])
    clock.offsetSeconds += 86_400
    expect(await run(poison)).toEqual([])
    expect(await only(id)).toMatchObject({ status: 'failed', attempts: 3 })

    reason = undefined
    expect(await retryJob(db, id, clock.now())).toMatchObject({ id, status: 'queued' })
    expect(await run(poison)).toMatchObject([{ id, outcome: 'completed' }])
    expect(await retryJob(db, id, clock.now())).toBeUndefined()
    clock.offsetSeconds = 0
  })

  test('has failed at once where it gives up', async () => {
    reason = new GiveUp('hopeless')
    await enqueue(db, poison, {}, { now: clock.now() })
    expect(await run(poison)).toMatchObject([{ outcome: 'failed' }])
  })

  test('waits twice as long each time, an hour and a half at most', () => {
    expect([1, 2, 3, 11, 12, 40].map((attempt) => waitSeconds(attempt, 0))).toEqual([2, 4, 8, 2048, 3600, 3600])
    expect(waitSeconds(40, 1)).toBe(5400)
  })
})

describe('a job whose process died', () => {
  const die = async (id: string) => {
    const claimed = await claim(db, clock, Bun.randomUUIDv7(), ['note'], 10)
    expect(claimed.map((one) => one.id)).toEqual([id])
    await db.sql`update jobs set locked_until = now() - interval '1 minute' where id = ${id}`
    await recover(db, clock, [])
    return only(id)
  }

  test('is taken once more; after the second time it has failed with the reason, until somebody retries it', async () => {
    const id = await enqueue(db, note, { text: 'deadly' }, { now: clock.now() })
    expect(await die(id)).toMatchObject({ status: 'queued', attempts: 1 })
    const reason = 'The process ended twice in the middle of it.'
    expect(await die(id)).toMatchObject({ status: 'failed', attempts: 2, last_error: reason })
    expect(await claim(db, clock, Bun.randomUUIDv7(), ['note'], 10)).toHaveLength(0)
    await retryJob(db, id, clock.now())
    expect(await die(id)).toMatchObject({ status: 'queued', attempts: 1 })
    expect(await run(note)).toHaveLength(1)
    seen.splice(0)
  })
})

describe('progress', () => {
  const steps = defineJob({
    name: 'steps',
    payload: Type.Object({ count: Type.Integer() }),
    progress: Type.Object({ done: Type.Integer() }),
    run: async (_: QueueWorld, { count }, job) => {
      for (let done = job.progress?.done ?? 0; done < count; done++)
        await db.transaction(async (tx) => {
          await tx.sql`insert into settings (name, value) values (${`step ${done}`}, ${String(job.attempt)})`
          await job.save(tx, { done: done + 1 })
          if (done === 2 && job.attempt === 1) throw new Error('in the middle')
        })
    },
  })

  test('and the work that it tells of stand or fall together; the next attempt goes on from it', async () => {
    const id = await enqueue(db, steps, { count: 5 }, { now: clock.now() })
    await run(steps)
    expect(await only(id)).toMatchObject({ status: 'queued', progress: { done: 2 } })
    clock.offsetSeconds = 10
    await run(steps)
    clock.offsetSeconds = 0
    const rows = await db.sql`select name, value from settings where name like 'step %' order by name`
    expect(rows.map(({ value }) => value).join('')).toBe('11222')
  })
})

describe('results', () => {
  test('are found for 24 hours and then swept; what failed stays 30 days', async () => {
    const id = await enqueue(db, note, { text: 'kept' }, { now: clock.now() })
    const given = { name: 'gives_up', payload: Type.Object({}) }
    const hopeless = defineJob({ ...given, run: (_: QueueWorld) => Promise.reject(new GiveUp('no')) })
    const dead = await enqueue(db, hopeless, {}, { now: clock.now() })
    await run(note, hopeless)
    const at = (hours: number) => {
      clock.offsetSeconds = hours * 3600
      return clock.now()
    }
    const sweep = async (hours: number) => {
      await enqueue(db, sweepJobs, {}, { now: at(hours) })
      await run(sweepJobs)
      return (await listJobs(db)).map((job) => job.id)
    }
    expect(await findJob(db, 'note', id, at(23.9))).toMatchObject({ status: 'completed' })
    expect(await sweep(23.9)).toContain(id)
    expect(await findJob(db, 'note', id, at(24.1))).toBeUndefined()
    expect(await sweep(24.1)).not.toContain(id)
    expect(await findJob(db, 'gives_up', dead, at(24.1))).toBeUndefined()
    expect(await sweep(29 * 24)).toContain(dead)
    expect(await sweep(31 * 24)).not.toContain(dead)
    clock.offsetSeconds = 0
  })
})
