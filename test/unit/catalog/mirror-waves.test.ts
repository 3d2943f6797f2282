import { expect, test } from 'bun:test'
import type { SourceRecord } from '../../../src/catalog/sync/mirror/record.ts'
import { inWaves } from '../../../src/catalog/sync/mirror/waves.ts'

const aRecord = (id: string, attributes: Record<string, unknown>, parent?: string): SourceRecord => ({
  ...{ type: 'any', id, attributes, meta: {}, createdAt: '', updatedAt: '' },
  relationships: parent ? { parent: { data: { type: 'sets', id: parent } } } : {},
})
const ids = (waves: SourceRecord[][]) => waves.map((wave) => wave.map(({ id }) => id))

test('two brands that were read with one name, or two player-teams that were read as one pair, are written in turn', () => {
  const brands = [aRecord('a', { name: 'Fleer' }), aRecord('b', { name: 'Topps' }), aRecord('c', { name: 'FLEER' })]
  expect(ids(inWaves('brands', brands))).toEqual([['a', 'b'], ['c']])
  const [pair, other] = [
    { player_id: 'p', team_id: 't' },
    { player_id: 'p', team_id: 'u' },
  ]
  const pairs = [aRecord('a', pair), aRecord('b', other), aRecord('c', pair), aRecord('d', pair)]
  expect(ids(inWaves('playerteams', pairs))).toEqual([['a', 'b'], ['c'], ['d']])
})

test('a parent is written before its children', () => {
  const [first, second, third] = ['10000000', '20000000', '30000000'].map(
    (start) => `${start}-0000-4000-8000-000000000000`,
  ) as [string, string, string]
  const sets = [aRecord(third, {}, second), aRecord(second, {}, first), aRecord(first, {})]
  expect(ids(inWaves('sets', sets))).toEqual([[first], [second], [third]])
})

test('teams of one name, and no records at all, are no matter', () => {
  expect(ids(inWaves('teams', [aRecord('a', { name: 'Sox' }), aRecord('b', { name: 'Sox' })]))).toEqual([['a', 'b']])
  expect([inWaves('teams', []), inWaves('brands', []), inWaves('sets', [])]).toEqual([[], [], []])
})
