import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { aPng } from '../../support/image.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { until } from '../../support/until.ts'
import { openService, readJson } from './service.ts'

setDefaultTimeout(120_000)

const disk = smallDisk('a full disk of DATA_DIR for images', 4)
const service = await openService({ DATA_DIR: disk?.path ?? '', TRUSTED_PROXIES: '127.0.0.1' })
afterAll(() => service.close().finally(() => disk?.remove()))

test.skipIf(!disk)(
  'a full disk of DATA_DIR: 503 STORAGE_FULL for an image, /health 503 with the check storage',
  async () => {
    const { cardId } = await service.aCard()
    const upload = () =>
      service.send('POST', `/v1/card-images?card_id=${cardId}`, {
        ...{ as: 'editor', type: 'image/png', body: aPng(300, 300, true) },
      })
    const health = async () => (await service.send('GET', '/health')).json()
    expect((await upload()).status).toBe(201)
    expect(await health()).toMatchObject({ status: 'ok', checks: { storage: 'ok' } })
    disk?.fill()
    const refused = await upload()
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).not.toBeNull()
    expect((await readJson(refused)).errors).toMatchObject([{ status: '503', code: 'STORAGE_FULL' }])
    expect(await health()).toMatchObject({ status: 'failed', checks: { database: 'ok', storage: 'failed' } })
    expect(service.takeFaults()).toMatchObject([{ code: 'ENOSPC' }])
    disk?.clear()
    expect((await upload()).status).toBe(201)
    await until(async () => (await health()).status === 'ok')
  },
)
