import { expect } from 'bun:test'
import type { SmallDisk } from './small-disk.ts'
import { until } from './until.ts'

type Serving = { address: string; operator: Record<string, string> }

/** A set whose description no database can compress, with a unique name. */
const aSet = () => ({
  data: {
    type: 'sets',
    attributes: { name: crypto.randomUUID(), description: noise(9000) },
  },
})

const noise = (characters: number) =>
  Array.from({ length: Math.ceil(characters / 32) }, () => crypto.randomUUID().replaceAll('-', '')).join('')

/**
 * Writes while the disk is full until the service runs out of room, and checks what the contract says about it: no 500 on the
 * way, 503 STORAGE_FULL with Retry-After, /health at 503 with the check `storage`, and what `meanwhile` checks. Once there is
 * room again, the service must continue on its own and still have everything that it answered with 201.
 */
export const goesThroughFullDisk = async (
  { address, operator }: Serving,
  disk: SmallDisk,
  meanwhile: () => unknown,
) => {
  const headers = { ...operator, 'Content-Type': 'application/vnd.api+json' }
  const write = () => fetch(`${address}/v1/sets`, { method: 'POST', headers, body: JSON.stringify(aSet()) })
  const health = () => fetch(`${address}/health`)
  const [created, codes] = [[] as string[], new Set<string>()]
  const attempt = async () => {
    const answer = await write()
    const { data, errors } = (await answer.json()) as { data?: { id: string }; errors?: { code: string }[] }
    if (data) created.push(data.id)
    const code = errors?.[0]?.code
    if (code) codes.add(`${answer.status} ${code}`)
    return { status: answer.status, code, retryAfter: answer.headers.get('retry-after') }
  }
  expect(await (await health()).json()).toMatchObject({ status: 'ok', checks: { storage: 'ok' } })
  expect((await attempt()).status).toBe(201)
  disk.fill()
  let refused = await attempt()
  while (refused.status === 201) refused = await attempt()
  await until(async () => (await health()).status === 503)
  expect(await (await health()).json()).toMatchObject({ status: 'failed', checks: { storage: 'failed' } })
  await until(async () => {
    refused = await attempt()
    return refused.code === 'STORAGE_FULL'
  })
  expect([refused.status, Number(refused.retryAfter) > 0]).toEqual([503, true])
  await meanwhile()
  disk.clear()
  await until(async () => (await attempt()).status === 201)
  await until(async () => (await health()).status === 200)
  expect([...codes].filter((code) => !code.startsWith('503 '))).toEqual([])
  for (const id of created) expect((await fetch(`${address}/v1/sets/${id}`, { headers })).status).toBe(200)
}
