import { afterAll, expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { otherSettings } from '../../support/other-settings.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { until } from '../../support/until.ts'

const disk = smallDisk('a read-only DATA_DIR', 4)
afterAll(() => disk?.remove())

test.skipIf(!disk)('a DATA_DIR that may only be read is `storage: failed`, until it may be written again', async () => {
  const app = otherSettings(await testApp(), { DATA_DIR: disk?.path ?? '' })
  const health = async () => {
    const answer = await app.fetch(new Request(`${app.baseUrl}/health`))
    const { checks } = (await answer.json()) as { checks: { storage: string } }
    return `${answer.status} ${checks.storage}`
  }
  expect(await health()).toBe('200 ok')
  disk?.remount('ro')
  await until(async () => (await health()) === '503 failed')
  disk?.remount('rw')
  await until(async () => (await health()) === '200 ok')
})
