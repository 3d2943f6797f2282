import { expect, test } from 'bun:test'
import { numberChanges } from '../../src/catalog/sync/feed/number.ts'
import { runningCommands } from '../commands/running.ts'
import type { Answer, Shown } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { aDocument, factories, setStatus, toOne } from '../support/factories.ts'
import { runJobs } from '../support/jobs.ts'
import { merging } from '../support/merges.ts'
import { operate } from '../support/storm-of-writers.ts'
import { followedSets, freshSets, type ToldSets } from '../support/told-sets.ts'
import { writers } from '../support/writers.ts'

const app = await testApp({ environment: { BATCH_INLINE_MAX: '3' } })
const { db, operator } = app
const make = factories(app)
const { merge, undo } = merging(app)
const command = runningCommands(app.context)

/** What the process knows, which must be what one knows that has just begun. */
const known = async (after: string): Promise<ToldSets> => {
  const followed = await followedSets(db)
  expect([after, followed]).toEqual([after, await freshSets(db)])
  return followed
}

const done = <Of extends Pick<Answer, 'status' | 'text'>>(answer: Of): Of => {
  if (answer.status >= 300) throw new Error(`answered ${answer.status} ${answer.text}`)
  return answer
}
const at = ({ type, id }: Pick<Shown, 'type' | 'id'>) => `/v2/${type}/${id}`
const change = async (record: Shown, attributes: object, relationships: object = {}) =>
  done(await operator.patch(at(record), aDocument(record.type, { ...attributes }, { ...relationships }, record.id)))
const remove = async (record: Shown) => done(await operator.delete(at(record)))
const relate = async (record: Shown, name: string, to: Shown | null) =>
  done(await operator.patch(`${at(record)}/relationships/${name}`, toOne(to)))
const json = async (method: string, path: string, body?: object) => {
  const headers = { 'Content-Type': 'application/json' }
  return done(await operator.send(method, path, body ? { body: JSON.stringify(body), headers } : {}))
}
const batch = async (...data: object[]) => {
  await json('POST', '/internal/card-batches', { data })
  await runJobs(app.context)
}
const moved = (card: Shown, set: Shown) => ({ type: 'cards', id: card.id, relationships: { set: toOne(set) } })
const newestRevision = async (record: Shown) => (await operator.get(`${at(record)}/revisions`)).many[0]?.id
const revert = async (record: Shown) =>
  json('POST', '/internal/reverts', {
    ...{ object_type: record.type, object_id: record.id, revision: await newestRevision(record) },
  })
const importCsv = async (rows: string, query = '') => {
  const body = `genre,year,manufacturer,brand,set,parent_set,number,player\n${rows}`
  const { text } = done(
    await operator.send('POST', `/internal/imports${query}`, { body, headers: { 'Content-Type': 'text/csv' } }),
  )
  await runJobs(app.context)
  return (JSON.parse(text) as { job_id: string }).job_id
}
const succeeds = async (...words: string[]) => {
  const ran = await command(...words)
  if (ran.exit !== 0) throw new Error(`${words.join(' ')} ended with ${ran.exit}: ${ran.err}`)
  return ran
}

const [brand, otherBrand] = [await make.brand({ name: 'Quill' }), await make.brand({ name: 'Nib' })]
const [year, otherYear] = [await make.year({ name: '1901' }), await make.year({ name: '1902-03' })]
const [genre, otherGenre] = [await make.genre({ name: 'Chess' }), await make.genre({ name: 'Go' })]
const [maker, otherMaker] = [await make.manufacturer({ name: 'Paper' }), await make.manufacturer({ name: 'Ink' })]
const root = await make.set({ name: 'Octavo Sheets', brand, year, genre, manufacturer: maker })
const child = await make.set({ name: 'Octavo Gold', parent: root, kind: 'parallel', brand, year })
const other = await make.set({
  ...{ name: 'Quarto', brand: otherBrand, year: otherYear, genre: otherGenre, manufacturer: otherMaker },
})
const player = await make.player()
const cards = [
  await make.card({ set: root, number: '1', oncard: [player] }),
  await make.card({ set: root, number: '2', oncard: [player] }),
  await make.card({ set: child, number: '1', oncard: [player] }),
] as const
const later: { merge?: Shown; import?: string; card?: Shown; set?: Shown } = {}

/** Writes that change a set or label, or how many cards a set has, one after the other. */
const writes: Record<string, () => Promise<unknown>> = {
  'a brand': () => make.brand(),
  'a manufacturer': () => make.manufacturer(),
  'a genre': () => make.genre(),
  'a year': () => make.year(),
  'a set': () => make.set({ name: 'Folio', brand, year, genre, manufacturer: maker, parent: other }),
  'the name of a brand': () => change(brand, { name: 'Quills & Co.' }),
  'the name of a year': () => change(year, { name: '1901-02' }),
  'the aliases of a genre': () => change(genre, { aliases: ['Board', 'Éclair'] }),
  'no aliases of a genre': () => change(genre, { aliases: [] }),
  'the name of a set': () => change(root, { name: 'Octavo Leaves' }),
  'the aliases of a set': () => change(root, { aliases: ['Eighths', 'Leaflets'] }),
  'the kind of a set': () => change(child, { kind: 'variation' }),
  'the labels of a set': () =>
    change(
      root,
      {},
      { brand: toOne(otherBrand), year: toOne(otherYear), genre: toOne(otherGenre), manufacturer: toOne(otherMaker) },
    ),
  'a set without labels': () =>
    change(root, {}, { brand: toOne(null), year: toOne(null), genre: toOne(null), manufacturer: toOne(null) }),
  'the brand at its own address': () => relate(root, 'brand', brand),
  'the year at its own address': () => relate(root, 'year', year),
  'another parent': () => relate(child, 'parent', other),
  'no parent': () => relate(child, 'parent', null),
  'a parent': () => change(child, {}, { parent: toOne(root) }),
  'a published set, whose labels come into sight': () => setStatus(app, root, 'published'),
  'a published child': () => setStatus(app, child, 'published'),
  'a draft again, whose labels go': () => setStatus(app, root, 'draft'),
  'another card': async () => {
    later.card = await make.card({ set: root, number: '3' })
  },
  'a card less': () => remove(later.card as Shown),
  'a card that is back': () => revert(later.card as Shown),
  'a card in another set': () => change(cards[0], {}, { set: toOne(other) }),
  'a card in another set, by its address': () => relate(cards[0], 'set', child),
  'cards in other sets, in a batch': () => batch(moved(cards[0], root), moved(cards[2], other)),
  'cards in other sets, in a job': () =>
    batch(moved(cards[0], other), moved(cards[1], other), moved(cards[2], root), moved(later.card as Shown, other)),
  'the last card of a set, moved': () => change(cards[2], {}, { set: toOne(child) }),
  'a card of many, moved and deleted at once': async () =>
    done(
      await operate(operator, [
        { op: 'update', data: moved(cards[0], root) },
        { op: 'remove', ref: { type: 'cards', id: cards[0].id } },
      ]),
    ),
  'a card moved once more': () => change(cards[1], {}, { set: toOne(root) }),
  'a card moved back by a revert': () => revert(cards[1]),
  'several at once': async () =>
    done(
      await operate(operator, [
        { op: 'add', data: { type: 'brands', lid: 'b', attributes: { name: 'Vellum' } } },
        {
          ...{ op: 'add' },
          data: {
            ...{ type: 'sets', lid: 's', attributes: { name: 'Duodecimo' } },
            relationships: { brand: { data: { type: 'brands', lid: 'b' } } },
          },
        },
        {
          ...{ op: 'add' },
          data: {
            ...{ type: 'cards', attributes: { number: '1' } },
            relationships: { set: { data: { type: 'sets', lid: 's' } } },
          },
        },
        { op: 'update', data: { type: 'years', id: otherYear.id, attributes: { name: '1902' } } },
      ]),
    ),
  ...mergesOf('brands', otherBrand, brand),
  ...mergesOf('years', otherYear, year),
  ...mergesOf('genres', otherGenre, genre),
  ...mergesOf('manufacturers', otherMaker, maker),
  ...mergesOf('sets', root, other),
  'two equal cards of sets that are merged': async () => {
    const [one, two] = [await make.set({ name: 'Twin' }), await make.set({ name: 'Twin' })]
    for (const set of [one, two]) await make.card({ set, number: '1', oncard: [player] })
    later.merge = await merge([one], two)
  },
  'and apart again': () => undo(later.merge as Shown),
  'a merge on the command line': async () => {
    const [one, two] = [await make.brand({ name: 'Recto' }), await make.brand({ name: 'Verso' })]
    await make.set({ brand: one })
    later.merge = { id: (await succeeds('merge', 'brands', two.id, one.id, '--json')).json.id } as Shown
  },
  'and its end': () => succeeds('merge', 'undo', String(later.merge?.id)),
  'a name for a while': () => change(root, { name: 'Trigesimo', aliases: ['Thirties'] }),
  'a name that was reverted': () => revert(root),
  'a name reverted on the command line': async () =>
    succeeds('revert', 'sets', root.id, String(await newestRevision(root)), '--json'),
  'a merge of cards': async () => {
    const [one, two] = [
      await make.card({ set: other, number: '9' }),
      await make.card({ set: other, number: '9', title: 'Same' }),
    ]
    later.merge = await merge([two], one)
  },
  'and its undoing': () => undo(later.merge as Shown),
  'an import': async () => {
    later.import = await importCsv(
      'Chess,1905,Paper,Quarry,Sixteenmo,,1,Ann Lee\nChess,1905,Paper,Quarry,Sixteenmo Red,Sixteenmo,1,Bo Lee\n',
    )
  },
  'an import that publishes': () => importCsv('Chess,1905,Paper,Quarry,Sixteenmo,,2,Ann Lee\n', '?publish=true'),
  'an import of fewer cards': () => importCsv('Chess,1905,Paper,Quarry,Sixteenmo,,2,Ann Lee\n', '?prune=true'),
  'an import that is undone': async () => {
    await json('POST', `/internal/imports/${later.import}/undo`)
    await runJobs(app.context)
  },
  'a set with a card': async () => {
    later.set = await make.set({ name: 'Broadside', brand })
    await make.card({ set: later.set })
  },
  'a deleted set': () => remove(later.set as Shown),
  'a set that is back': () => revert(later.set as Shown),
  'a set removed permanently': async () => done(await operator.delete(`/v1/sets/${later.set?.id}?force=true`)),
  'a brand that nothing has': async () => {
    later.set = await make.brand({ name: 'Colophon' })
  },
  'a deleted brand': () => remove(later.set as Shown),
}

/** A merge of one record with another, and its undoing. */
function mergesOf(type: string, from: Shown, into: Shown): typeof writes {
  return {
    [`${type} that are merged`]: async () => {
      later.merge = await merge([from], into)
    },
    [`${type} that are no longer merged`]: () => undo(later.merge as Shown),
  }
}

for (const [name, write] of Object.entries(writes))
  test(`what the process knows is current after a write: ${name}`, async () => {
    const before = await known('before')
    await write()
    expect(await known('without a number')).not.toEqual(before)
    await numberChanges(db)
    await known('with a number')
  })

test('what the process knows is current after any writes', async () => {
  const write = await writers(app, 2)
  for (let seed = 1; seed <= 120; seed++) {
    await write(seed)
    if (seed % 5 === 0) await numberChanges(db)
    if (seed % 3 === 0) await known(`seed ${seed}`)
  }
})
