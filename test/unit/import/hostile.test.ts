import { expect, test } from 'bun:test'
import { readChecklist } from '../../../src/catalog/import/read/checklist.ts'
import { inShortTurns } from '../../support/turn-watch.ts'
import { hostileRows } from './hostile-rows.ts'

test('a turn that is too long fails with its stack', async () => {
  const computeForLong = () => {
    const end = process.cpuUsage().user + 300_000
    while (process.cpuUsage().user < end);
  }
  await expect(
    inShortTurns(async () => {
      await Bun.sleep(20)
      computeForLong()
      await Bun.sleep(20)
    }),
  ).rejects.toThrow('computeForLong')
})

test.each(['own', 'foreign', 'JSON'] as const)(
  'cells that are as long as they may be, of any pattern in any column, give others their turns: %s',
  async (form) => {
    const { name, rows } = hostileRows(form, 9900)
    await inShortTurns(async () => {
      for await (const _ of readChecklist({ name, stream: rows() }));
    })
  },
)

test('100,000 columns give others their turns', async () => {
  const header = Buffer.from(Array.from({ length: 100_000 }, (_, no) => `numbr${no}`).join(','))
  async function* table() {
    yield header
    yield Buffer.from('\nS,1,Ann Lee\n')
  }
  await inShortTurns(async () => {
    for await (const _ of readChecklist({ name: 'wide.csv', stream: table() }));
  })
})
