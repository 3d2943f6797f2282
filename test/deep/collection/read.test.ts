import { expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readChecklist } from '../../../src/catalog/import/read/checklist.ts'
import { personName } from '../../../src/catalog/model/person-name.ts'

/** The CardLists collection: the folder or archive that CARDLISTS names, or an archive in that folder. It is never copied. */
const findCollection = () => {
  const place = resolve(process.env.CARDLISTS ?? '../shared/data/cardlists')
  if (!existsSync(place)) return null
  const archive = statSync(place).isDirectory() && readdirSync(place).find((name) => /\.tar(?:\.gz|\.xz)?$/.test(name))
  return archive ? join(place, archive) : place
}

const collection = findCollection()
const readable = collection !== null && (!collection.endsWith('.xz') || Bun.which('xz') !== null)
if (!readable) console.warn('The CardLists collection is not here (CARDLISTS): its tests are skipped.')

const readAll = async () => {
  const counts = new Map<string, number>()
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  const players = new Set<string>()
  const ids = new Bun.CryptoHasher('sha256')
  for await (const item of readChecklist({ path: collection ?? '' })) {
    count(item.kind)
    if (item.kind === 'set') count(item.parentKey ? 'child set' : 'root set')
    if (item.kind === 'set' && !(item.genre && item.year && item.brand && item.manufacturer))
      count('set without makers')
    if (item.kind === 'note') count(item.rule)
    if (item.kind === 'card' || item.kind === 'set') ids.update(`${item.id}\n`)
    if (item.kind === 'card') for (const { player } of item.entries) if (player) players.add(personName(player))
    if (item.kind === 'card' && item.entries.length === 0 && item.title === null) count('card without a name')
  }
  return { counts, players, digest: ids.digest('hex') }
}

test.skipIf(!readable)(
  'the whole collection is read: 210 releases, 2,188 sets, 144,141 cards, no fault, every oddity noted',
  async () => {
    const { counts, players, digest } = await readAll()
    expect(Object.fromEntries(counts)).toMatchObject({ 'root set': 210, 'child set': 2188, card: 144_141 })
    expect(counts.get('fault') ?? 0).toBe(0)
    expect(counts.get('set without makers') ?? 0).toBe(0)
    expect(counts.get('card without a name') ?? 0).toBe(0)
    expect(counts.get('duplicate-id') ?? 0).toBe(0)
    expect(counts.get('equal-rows')).toBe(26)
    expect(counts.get('shared-set-name')).toBe(2)
    expect(counts.get('undecided-name')).toBeLessThan(60)
    const suspicious = /checklist|leaders|\bteam\b|logo|world series|highlights|prospects|[\d!?:()/]/i
    expect([...players].filter((name) => suspicious.test(name))).toEqual([])
    expect(players.has('Michael Jordan')).toBe(true)
    expect((await readAll()).digest).toBe(digest)
  },
  120_000,
)
