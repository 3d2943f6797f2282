import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { Context } from '../../src/context.ts'
import { defineJob, GiveUp } from '../../src/jobs/define.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { testApp } from '../support/app.ts'
import { workOff } from '../support/work-off.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const { context, db, clock, lines } = app
const run = runningCommands(context)

let isMended = false
const poisoned = defineJob({
  name: 'poisoned',
  payload: Type.Object({ secret: Type.String() }),
  run: async (_: Context) => {
    if (!isMended) throw new GiveUp('no card reader')
  },
})

describe('jobs', () => {
  test('list says that there are none', async () => {
    expect(await run('jobs', 'list')).toMatchObject({ exit: 0, out: 'No jobs found.\n' })
  })

  test('list shows a failed job without its payload, and retry runs it again', async () => {
    const id = await enqueue(db, poisoned, { secret: 'hush' }, { now: clock.now() })
    await workOff(context, [poisoned])
    lines.length = 0
    const failed = await run('jobs', 'list', '--status', 'failed', '--json')
    expect(failed.json.jobs).toMatchObject([{ id, name: 'poisoned', status: 'failed', last_error: 'no card reader' }])
    const shown = await run('jobs', 'list')
    expect(shown.out).toContain('no card reader')
    expect(failed.out + shown.out).not.toContain('hush')
    expect((await run('doctor')).out).toMatch(
      /^FAULT +jobs +0 queued, 0 running, 1 failed, 1 of them within the last day/m,
    )

    expect((await run('jobs', 'retry', id, '--json')).json).toEqual({ id, name: 'poisoned', status: 'queued' })
    isMended = true
    expect(await workOff(context, [poisoned])).toMatchObject([{ id, outcome: 'completed' }])
    expect((await run('jobs', 'list', '--status', 'failed', '--json')).json).toEqual({ jobs: [] })
    expect((await run('doctor')).out).toMatch(/^ok +jobs +0 queued, 0 running, 0 failed$/m)
  })

  test('list filters by name and takes a limit', async () => {
    for (let n = 0; n < 3; n++) await enqueue(db, poisoned, { secret: '' }, { now: clock.now() })
    expect((await run('jobs', 'list', '--name', 'poisoned', '--limit', '2', '--json')).json.jobs).toHaveLength(2)
    expect((await run('jobs', 'list', '--name', 'other', '--json')).json.jobs).toEqual([])
  })

  test('retry of what has not failed is refused in a sentence', async () => {
    for (const id of ['x', Bun.randomUUIDv7()]) {
      const { exit, err } = await run('jobs', 'retry', id)
      expect([exit, err]).toEqual([1, expect.stringContaining('jobs list --status failed')])
    }
    expect(await run('jobs', 'list', '--status', 'dead')).toMatchObject({ exit: 2 })
  })
})
