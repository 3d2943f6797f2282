import { expect, test } from 'bun:test'
import { demoChecklists } from '../../../db/demo/index.ts'
import { inShort, readItems } from './items.ts'

const readDemo = async (part: string) => {
  const found = demoChecklists.find(({ name }) => name.includes(part))
  return readItems(found?.text ?? '', found?.name)
}

test('the demo has no bad row, no equal rows and no column that is not read', async () => {
  for (const { name, text } of demoChecklists) {
    const { faults, notes } = await readItems(text, name)
    expect([faults, notes]).toEqual([[], []])
  }
})

test('the demo has a complete vintage set of 132 cards with its insert of 11', async () => {
  const { sets, cards } = await readDemo('fleer')
  expect(sets.map(({ name, setKind }) => [name, setKind])).toEqual([
    ['1986-87 Fleer Basketball', null],
    ['Stickers', 'insert'],
  ])
  const base = cards.filter((card) => card.setKey === sets[0]?.key)
  expect(base.map((card) => card.number)).toEqual(Array.from({ length: 132 }, (_, at) => String(at + 1)))
  expect(base.find((card) => card.number === '57')?.attributes).toEqual(['RC'])
  expect(inShort(base[56] as never)).toEqual(['Michael Jordan @ Chicago Bulls'])
  expect(cards.length - base.length).toBe(11)
})

test('the demo has a parallel, each card made from the card of its number', async () => {
  const { sets, cards } = await readDemo('finest')
  const parallel = sets.find((set) => set.setKind === 'parallel')
  const made = cards.filter((card) => card.setKey === parallel?.key)
  expect(made).toHaveLength(199)
  expect(made[0]?.parent).toEqual({ setKey: sets[0]?.key as string, number: '1' })
})

test('the demo has a set in preparation, which stays a draft', () => {
  expect(demoChecklists.map(({ publish }) => publish)).toEqual([true, true, false])
})
