import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ownDatabaseRuns } from '../support/own-database.ts'
import { serviceProcesses } from '../support/service-process.ts'
import { smallDisk } from '../support/small-disk.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(280_000)

const what = 'a disk of the embedded database that fills and empties again and again'
const disk = ownDatabaseRuns(what) && process.platform === 'linux' ? smallDisk(what, 64) : undefined
afterAll(() => disk?.remove())

const noise = (characters: number) =>
  Array.from({ length: Math.ceil(characters / 32) }, () => crypto.randomUUID().replaceAll('-', '')).join('')

test.skipIf(!disk)(
  `${what}: nothing acknowledged is lost, nothing leaks, and it writes again within 10 s`,
  async () => {
    const service = await serviceProcesses({ DATA_DIR: join(disk?.path ?? '', 'data') })
    const { address, child } = await service.serve()
    const headers = { ...service.operator, 'Content-Type': 'application/vnd.api+json' }
    const created: string[] = []
    const attempt = async () => {
      const data = { type: 'sets', attributes: { name: crypto.randomUUID(), description: noise(9000) } }
      const answer = await fetch(`${address}/v1/sets`, { method: 'POST', headers, body: JSON.stringify({ data }) })
      const said = (await answer.json()) as { data?: { id: string } }
      if (said.data) created.push(said.data.id)
      return answer.status
    }
    const healthStatus = async () => (await fetch(`${address}/health`)).status
    const descriptors: number[] = []
    for (let round = 1; round <= 5; round++) {
      disk?.fill()
      const statuses = new Set<number>()
      await until(async () => statuses.add(await attempt()).has(503))
      await until(async () => (await healthStatus()) === 503)
      // Once /health has said so, it goes on saying so, whatever is tried meanwhile.
      const told = new Set<number>()
      for (let n = 0; n < 20; n++) {
        const [wrote, health] = await Promise.all([attempt(), healthStatus()])
        statuses.add(wrote)
        told.add(health)
        await Bun.sleep(100)
      }
      expect([...told]).toEqual([503])
      disk?.clear()
      const clearedAt = performance.now()
      await until(async () => (await healthStatus()) === 200)
      expect(await attempt()).toBe(201)
      expect(performance.now() - clearedAt).toBeLessThan(10_000)
      expect([...statuses].filter((status) => ![201, 503].includes(status))).toEqual([])
      descriptors.push(readdirSync(`/proc/${child.pid}/fd`).length)
    }
    expect(Math.max(...descriptors) - (descriptors[0] ?? 0)).toBeLessThan(60)
    for (const id of created) expect((await fetch(`${address}/v1/sets/${id}`, { headers })).status).toBe(200)
    console.log(`${created.length} sets, descriptors after each round: ${descriptors.join(', ')}`)
  },
)
