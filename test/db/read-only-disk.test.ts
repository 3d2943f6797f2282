import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { ownDatabaseRuns } from '../support/own-database.ts'
import { serviceProcesses } from '../support/service-process.ts'
import { failingDisk, smallDisk } from '../support/small-disk.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(240_000)

const what = 'a disk of the embedded database that becomes read-only'
const runs = ownDatabaseRuns(what) && process.platform === 'linux'
const readOnly = runs ? smallDisk(what, 160) : undefined
const failing = runs ? failingDisk(`${what} by an error`, 160) : undefined
afterAll(() => {
  readOnly?.remove()
  failing?.remove()
})

const noise = (characters: number) =>
  Array.from({ length: Math.ceil(characters / 32) }, () => crypto.randomUUID().replaceAll('-', '')).join('')

const servedOn = async (folder: string) => {
  const service = await serviceProcesses({ DATA_DIR: join(folder, 'data') })
  const headers = { ...service.operator, 'Content-Type': 'application/vnd.api+json' }
  const created: string[] = []
  const begin = async () => {
    const { address, child } = await service.serve()
    const health = async () => {
      const answer = await fetch(`${address}/health`)
      const { checks } = (await answer.json()) as { checks: { storage: string } }
      return `${answer.status} ${checks.storage}`
    }
    const create = async () => {
      const body = JSON.stringify({
        data: { type: 'sets', attributes: { name: crypto.randomUUID(), description: noise(9000) } },
      })
      const answer = await fetch(`${address}/v1/sets`, { method: 'POST', headers, body })
      const { data } = (await answer.json()) as { data?: { id: string } }
      if (data) created.push(data.id)
      return answer.status
    }
    const isAllThere = async () => {
      for (const id of created) expect((await fetch(`${address}/v1/sets/${id}`, { headers })).status).toBe(200)
    }
    return { child, health, create, isAllThere }
  }
  return { ...service, begin }
}

test.skipIf(!readOnly)(
  'a DATA_DIR that becomes read-only under a service is `storage: failed`, and ok again by itself',
  async () => {
    const service = await servedOn(readOnly?.path ?? '')
    const { health, create, isAllThere } = await service.begin()
    for (let round = 0; round < 2; round++) {
      expect(await health()).toBe('200 ok')
      readOnly?.remount('ro')
      await until(async () => (await health()) === '503 failed')
      const doctor = service.start('doctor')
      expect(await doctor.ended()).toBe(1)
      expect(doctor.out()).toContain('its file system is read-only')
      // Files that are open already can still be written, until the database needs others.
      const statuses = new Set<number>()
      await until(async () => statuses.add(await create()).has(503))
      expect([...statuses].filter((status) => ![201, 503].includes(status))).toEqual([])
      expect(await health()).toBe('503 failed')
      readOnly?.remount('rw')
      await until(async () => (await health()) === '200 ok')
      expect(await create()).toBe(201)
    }
    await isAllThere()
  },
)

test.skipIf(!failing)(
  'a disk that takes nothing anymore is `storage: failed`, writes are 503, and a service on the mended disk has everything',
  async () => {
    const service = await servedOn(failing?.path ?? '')
    const before = await service.begin()
    expect(await before.create()).toBe(201)
    failing?.fail()
    expect(await before.create()).toBe(503)
    await until(async () => (await before.health()) === '503 failed')
    expect(await before.create()).toBe(503)
    before.child.kill('SIGTERM')
    await before.child.exited
    failing?.mend()
    const after = await service.begin()
    await until(async () => (await after.health()) === '200 ok')
    expect(await after.create()).toBe(201)
    await after.isAllThere()
  },
)
