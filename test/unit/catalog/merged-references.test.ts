import { expect, test } from 'bun:test'
import { withReferences } from '../../../src/catalog/api/merged/references.ts'
import type { Context } from '../../../src/context.ts'
import type { Call, Route } from '../../../src/http/route.ts'
import { documentText } from '../../../src/jsonapi/serialize.ts'

const address = 'http://cardstock/v1/cards?filter[set_id]=01a20976-3941-728c-9f12-6b99d3e121d7'

/** How many statements about merged ids a list with this data costs. */
const statementsFor = async (data: string) => {
  let statements = 0
  const sql = async () => {
    statements++
    return []
  }
  const reply = { status: 200, body: documentText(address, { data }) }
  const route = { method: 'GET', handle: async () => reply } as unknown as Route
  const call = { url: new URL(address), caller: { scopes: new Set() } } as unknown as Call
  expect(await withReferences(route)({ db: { sql } } as unknown as Context, call)).toBe(reply)
  return statements
}

test('merged ids are looked up only for a list that found nothing', async () => {
  expect(await statementsFor('[]')).toBe(1)
  expect(await statementsFor('[{"type":"cards","relationships":{"images":{"data":[]}}}]')).toBe(0)
})
