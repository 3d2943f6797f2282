import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { drawnPages } from '../../support/pages/drawn.ts'

const app = await testApp()
const make = factories(app)
const { open } = drawnPages(app)

const base = await make.set({ name: 'Topps', status: 'published' })
const parallel = (name: string, status = 'published') => make.set({ name, status, kind: 'parallel', parent: base })
const [silver, gold, printing, red, secret] = [
  await parallel('Silver'),
  await parallel('Gold'),
  await parallel('Printing Plate'),
  await parallel('Red'),
  await parallel('Secret', 'draft'),
]
const card = await make.card({ set: base, number: '7' })
await make.card({ set: silver, number: '7' })
await make.card({ set: printing, number: '7', serial_number: '1/1' })
const golden = await make.card({ set: gold, number: '7', serial_number: '/50' })
await make.card({ set: red, number: '8', serial_number: '/5' })
await make.card({ set: secret, number: '7' })

/** The names of a rainbow's parts, in order, with what each says below. */
const partsOf = (main: string) =>
  [...main.matchAll(/<li(?: class="(\w+)")?>(.*?)<\/li>/gs)].map(([, kind, html = '']) => [
    kind ?? '',
    /<span>([\w ]+)/.exec(html)?.[1],
    /class="(?:badge|faint)">([^<]+)/.exec(html)?.[1],
  ])

test.each([
  ['the card', () => card],
  ['one of its parallels', () => golden],
])('the rainbow of %s has each parallel, the rarest last, and what the catalog hasn’t', async (_, of) => {
  const page = await open(`/cards/${of().id}/rainbow`)
  expect(page.status).toBe(200)
  expect(partsOf(page.main)).toEqual([
    ['', 'Topps', 'Not numbered'],
    ['', 'Silver', 'Not numbered'],
    ['', 'Gold', '/50'],
    ['absent', 'Red', '/5'],
    ['', 'Printing Plate', '1/1'],
  ])
  expect(page.main).toContain('4 cards, and 1 parallel without this card in the catalog')
})

test('a card without parallels says so, and one that is hidden or nowhere is a 404', async () => {
  const alone = await make.card({ set: await make.set({ status: 'published' }), number: '1' })
  expect((await open(`/cards/${alone.id}/rainbow`)).main).toContain('The catalog has no parallels of this card.')
  const hidden = await make.card({ set: secret, number: '9' })
  for (const id of [hidden.id, crypto.randomUUID()]) expect((await open(`/cards/${id}/rainbow`)).status).toBe(404)
})
