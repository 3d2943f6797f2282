import { expect, test } from 'bun:test'
import { readItems } from './items.ts'

/** The sets of a parallel's row, its card's print run, and what was noted. */
const read = async (parallel: string, run = '') => {
  const { cards, sets, notes } = await readItems(
    `Set,Card #,Player,Parallel,Print Run\nChrome,1,Ann Lee,"${parallel}",${run}\n`,
  )
  return [sets.map(({ name }) => name).join(' > '), cards[0]?.serialNumber ?? '', ...notes.map(({ rule }) => rule)]
}

test.each([
  ['Gold /50', 'Gold', '/50'],
  ['Gold #/50', 'Gold', '/50'],
  ['Gold (#/50)', 'Gold', '/50'],
  ['Gold [/50]', 'Gold', '/50'],
  ['Gold – /50', 'Gold', '/50'],
  ['Gold, /50', 'Gold', '/50'],
  ['Gold SN50', 'Gold', '/50'],
  ["Gold #'d to 50", 'Gold', '/50'],
  ['Gold Wave /1,000', 'Gold Wave', '/1000'],
  ['Black 1/1', 'Black', '/1'],
  ['Black (1 of 1)', 'Black', '/1'],
  ['1986 Gold', '1986 Gold', ''],
  ['Red/Blue', 'Red/Blue', ''],
])('a cell of parallels with %j is the parallel %j with the print run %j', async (cell, name, run) => {
  expect(await read(cell)).toEqual([`Chrome > ${name}`, run])
})

test.each(['Base', '[Base]', 'Standard', 'None', 'Regular'])('the parallel %j is the set itself', async (cell) => {
  expect(await read(cell)).toEqual(['Chrome', ''])
})

test('a base card may have a print run', async () => {
  expect(await read('Base /99')).toEqual(['Chrome', '/99'])
})

test('the print run of its own column wins, and another one is noted', async () => {
  expect(await read('Gold /50', '25')).toEqual(['Chrome > Gold', '/25', 'serial-differs'])
  expect(await read('Gold /50', '50')).toEqual(['Chrome > Gold', '/50'])
})

test.each(['Gold (50)', 'Gold #50'])('the number in %j stays in the name, and is noted', async (cell) => {
  expect(await read(cell)).toEqual([`Chrome > ${cell}`, '', 'undecided-parallel'])
})
