import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
const world = await aWorld(app, 'published')
const read = async (path: string) => (await app.fetch(new Request(`${app.baseUrl}${path}`))).text()

/** The scripts that a page asks for, and what those import at once, by their addresses. */
const scriptsOf = async (path: string) => {
  const html = await read(path)
  const known = new Map<string, string>()
  const waiting = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g)].map(([, address = '']) => address)
  for (const address of waiting) {
    if (known.has(address)) continue
    const text = await read(address)
    known.set(address, text)
    for (const [, name] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) waiting.push(`/assets/${name}`)
  }
  return { named: [...html.matchAll(/href="(\/assets\/[^"]+\.js)"/g)].length + 1, known }
}

test.each([
  '/',
  `/sets/${world.sets.id}`,
  `/cards/${world.cards.id}`,
  `/players/${world.players.id}`,
  '/search?q=a',
  '/collection',
  `/cards/${world.cards.id}/rainbow`,
])('a reader of %s loads at most 60 kB of script, all of which the page names', async (path) => {
  const { named, known } = await scriptsOf(path)
  const bytes = [...known.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  expect(bytes).toBeWithin(20_000, 60_000)
  expect(known.size).toBe(named)
  // What writes a record is the editor's, which operators alone load.
  expect([...known.values()].filter((text) => text.includes('If-Match'))).toEqual([])
})
