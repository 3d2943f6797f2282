import { expect, test } from 'bun:test'
import { respond } from '../../../src/http/respond.ts'

test('answers of any length arrive whole, in any script', async () => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    fetch: async ({ url }) => {
      await Bun.sleep(1)
      const body = { text: 'Ichirō 鈴木 '.repeat(Number(new URL(url).searchParams.get('times'))) }
      return respond({ status: 200, body }, 'a-request', undefined, new Headers({ 'X-Own': 'yes' }))
    },
  })
  try {
    for (const times of [1, 1500, 20_000]) {
      const response = await fetch(`${server.url}?times=${times}`)
      const bytes = await response.bytes()
      expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({ text: 'Ichirō 鈴木 '.repeat(times) })
      expect(response.headers.get('Content-Length')).toBe(String(bytes.length))
      expect(['X-Own', 'X-Request-ID', 'Content-Type'].map((name) => response.headers.get(name))).toEqual([
        'yes',
        'a-request',
        'application/vnd.api+json',
      ])
    }
    const head = await fetch(`${server.url}?times=20000`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  } finally {
    await server.stop(true)
  }
})
