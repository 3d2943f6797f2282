import { expect, test } from 'bun:test'
import { streamed } from '../../../src/http/streamed.ts'
import type { Log } from '../../../src/lib/log.ts'

const faults: unknown[] = []
const nothing = () => {}
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: (_, fields) => faults.push(fields) }
const told = { log, requestId: 'r1' }

test('what fails before the first piece is an error like any other', async () => {
  const pieces = async function* () {
    yield await Promise.reject(new Error('at once'))
  }
  await expect(streamed(pieces(), told)).rejects.toThrow('at once')
  expect(faults).toEqual([])
})

test('what fails later is logged under the request, and the answer breaks off', async () => {
  const pieces = async function* () {
    yield 'one'
    throw new Error('too late')
  }
  const answer = new Response(await streamed(pieces(), told))
  await expect(answer.text()).rejects.toThrow('too late')
  expect(faults).toMatchObject([{ request_id: 'r1', message: 'too late' }])
})

test('a piece is written when the one before is taken, and none for who went away', async () => {
  const written: number[] = []
  let isClosed = false
  const pieces = async function* () {
    try {
      for (let n = 1; n <= 1000; n++) {
        written.push(n)
        yield `${n} `
      }
    } finally {
      isClosed = true
    }
  }
  const reader = (await streamed(pieces(), told)).getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('1 ')
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('2 ')
  await reader.cancel()
  expect(written.length).toBeLessThanOrEqual(4)
  expect(isClosed).toBe(true)
})
