import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { dryFirst, type ImportReport, noteTexts } from './dry-first.ts'

/** Titles and notes that later files write with other accents or in another case. */
const app = await testApp()
const { sql } = app.db

const saidIn = (report: ImportReport) => ({ cards: report.cards, notes: noteTexts(report) })
const { importText } = dryFirst(app, saidIn)
const imported = async (content: string, ...flags: string[]) => saidIn(await importText(content, ...flags))
const file = (set: string, title: string, notes = '') =>
  `Set,Card #,Player,Card Title,Notes\n${set},1,Ann Lee,${title},${notes}\n`
const textsOf = async (set: string) => {
  const [card, ...others] = await sql<{ title: string; notes: string | null }[]>`
    select c.title, c.notes from cards c join sets s on s.id = c.set_id where s.name = ${set}`
  expect(others).toEqual([])
  return [card?.title, card?.notes]
}

test.each([
  ['Pokémon Day', 'Pokemon Day'],
  ['Pokémon Day', 'POKÉMON DAY'],
  ['Photo Variation', 'photo variation'],
])('the title %s stays, and the report says so', async (title, other) => {
  const set = `Stays ${crypto.randomUUID()}`
  await imported(file(set, title))
  for (let time = 0; time < 2; time++)
    expect(await imported(file(set, other))).toEqual({
      cards: { created: 0, updated: 0, unchanged: 1, failed: 0 },
      notes: { 'spelling-kept': [`1 Ann Lee ${other}: “${title}” stays`] },
    })
  expect(await textsOf(set)).toEqual([title, null])
})

test.each([
  ['Pokemon Day', 'Pokémon Day'],
  ['POKÉMON DAY', 'Pokémon Day'],
  ['photo variation', 'Photo Variation'],
  ['Home', 'Away'],
])('the title %s gives way to %s, and the report says so', async (title, other) => {
  const set = `Gives way ${crypto.randomUUID()}`
  await imported(file(set, title))
  expect((await imported(file(set, other))).notes).toEqual({
    'values-replaced': [`1 Ann Lee ${other}, no longer “${title}”`],
  })
  expect(await textsOf(set)).toEqual([other, null])
})

test('so do notes', async () => {
  await imported(file('Notes', 'Home', 'Café'))
  expect((await imported(file('Notes', 'Home', 'cafe'))).notes).toEqual({
    'spelling-kept': ['1 Ann Lee Home: the spelling of its notes stays'],
  })
  await imported(file('Notes', 'Home', 'Other'))
  expect(await textsOf('Notes')).toEqual(['Home', 'Other'])
})

test('--overwrite takes what the file has', async () => {
  await imported(file('Overwritten', 'Pokémon Day'))
  await imported(file('Overwritten', 'pokemon day'), '--overwrite')
  expect(await textsOf('Overwritten')).toEqual(['pokemon day', null])
})
