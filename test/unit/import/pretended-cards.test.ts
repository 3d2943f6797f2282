import { expect, test } from 'bun:test'
import { beginPretendedCards } from '../../../src/catalog/import/write/dry/pretended-cards.ts'
import { blankCard } from '../../../src/catalog/write/card/read.ts'
import { readItems } from './items.ts'

test('a dry run that forgets cards says so once, and keeps those that it remembers', async () => {
  const { cards } = await readItems('set,number,player\nS,1,Ann Lee\nS,2,Bo Lee\nS,3,Cy Lee\nS,4,Dy Lee\n')
  const pretended = beginPretendedCards(2)
  const put = (id: string, at: number) => {
    const item = cards[at]
    if (!item) throw new Error('There is no such card.')
    return pretended.put(id, undefined, { ...blankCard, set_id: 's', number: item.number }, item, '')
  }
  expect([put('a', 0), put('b', 1), put('c', 2), put('d', 3), put('a', 0)]).toEqual([false, false, true, false, false])
  expect(pretended.among(['a', 'b', 'c', 'd']).map(({ id }) => id)).toEqual(['a', 'b'])
})
