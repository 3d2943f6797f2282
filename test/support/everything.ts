import type { Shown } from './answer.ts'
import { type TestApp, testBaseUrl } from './app.ts'
import { aDocument, factories, setStatus, toOne } from './factories.ts'
import { aPng } from './image.ts'

export type Catalog = Awaited<ReturnType<typeof catalogWithEverything>>

/** A catalog with records of every type, live and deleted, in every possible relation. */
export const catalogWithEverything = async (app: TestApp) => {
  const make = factories(app)
  const { operator } = app
  const remove = async (path: string, { id }: Shown, version = 'v1') => {
    const answer = await operator.delete(`/${version}/${path}/${id}`)
    if (answer.status !== 204)
      throw new Error(`DELETE /${version}/${path}/${id} answered ${answer.status} ${answer.text}`)
  }
  const change = async (path: string, document: ReturnType<typeof aDocument>) => {
    const answer = await operator.patch(`/v1/${path}/${document.data.id}`, document)
    if (answer.status !== 200) throw new Error(`PATCH /v1/${path} answered ${answer.status} ${answer.text}`)
  }

  const [genre, year, brand, manufacturer] = [
    await make.genre({ description: 'Nine\n"innings"' }),
    await make.year({ name: '1986-87' }),
    await make.brand(),
    await make.manufacturer(),
  ]
  const lateYear = await make.year({ parent_year: (await make.year()).id })
  await change('years', aDocument('years', { parent_year: lateYear.id }, {}, year.id))
  const labels = { genre, year, brand, manufacturer }
  const set = await make.set({ ...labels, description: 'A set', release_date: '1986-10-01' })
  const parallel = await make.set({ ...labels, parent: set, kind: 'parallel' })
  const earlyChild = await make.set({ kind: 'insert' })
  const lateParent = await make.set()
  await change('sets', aDocument('sets', {}, { parent: toOne(lateParent) }, earlyChild.id))

  const [single, player, team] = [
    await make.player({ first_name: 'Pelé', last_name: '' }),
    await make.player({ position: 'SG' }),
    await make.team({ location: 'Chicago', abbreviation: 'CHI' }),
  ]
  const pair = await make.playerTeam({ player, team })
  const [code, otherCode] = [await make.attribute({ color: '#fff' }), await make.attribute({ description: 'Rookie' })]
  const card = await make.card({
    ...{ set, number: '2', title: ' A|B "C" \\ ', serial_number: '/50', notes: 'First\nsecond' },
    ...{ oncard: [pair, single, team], attributes: [code, otherCode] },
  })
  const child = await make.card({ set: parallel, number: '2', oncard: [pair] })
  const grandchild = await make.card({ set: set, number: '9' })
  for (const [id, parent] of [
    [child.id, card.id],
    [grandchild.id, child.id],
  ])
    await app.db.sql`update cards set parent_id = ${parent as string} where id = ${id as string}`
  const longNamed = await make.player({ first_name: 'of the '.repeat(36), last_name: 'house '.repeat(42) })
  await make.card({ set, oncard: [longNamed, await make.playerTeam({ player: longNamed, team })] })
  const empty = await make.card({ set, title: '', serial_number: '', notes: '' })
  await make.brand({ description: '' })
  await make.team({ location: '', abbreviation: '' })
  await make.player({ position: '' })
  await make.set({ description: '' })

  const answer = await app.fetch(
    new Request(`${testBaseUrl}/v1/card-images?card_id=${empty.id}`, {
      method: 'POST',
      headers: { ...app.headers.operator, 'Content-Type': 'image/png' },
      body: aPng(3, 4),
    }),
  )
  const image: Shown = ((await answer.json()) as { data: Shown }).data

  for (const object of [card, set, player, team]) await make.objectAttribute(object)
  await make.setSource(parallel, { title: '', notes: '', source_url: `https://example.org/${'x'.repeat(2000)}` })
  await remove('object-attributes', await make.objectAttribute(card))
  await make.setSource(set, { title: 'The list', notes: 'Page 2' })
  await remove('set-sources', await make.setSource(set))
  await setStatus(app, set, 'published')

  // What only /v2 has.
  const more = async (path: string, { type, id }: Shown, attributes: object) => {
    const answer = await operator.patch(`/v2/${path}`, aDocument(type, { ...attributes }, {}, id))
    if (answer.status !== 200) throw new Error(`PATCH /v2/${path} answered ${answer.status} ${answer.text}`)
  }
  await more(`players/${player.id}`, player, {
    ...{ aliases: ['Air "J"', 'A|B', 'back\\slash'], disambiguation: 'the guard', born_on: '1963-02-17' },
  })
  for (const [path, record] of Object.entries({ teams: team, sets: set, genres: genre, years: year, brands: brand }))
    await more(`${path}/${record.id}`, record, { aliases: [`${path} {too}`, 'Ünïcode'] })
  for (const object of [card, child, set, player, team, brand, manufacturer, genre, year]) await make.identifier(object)
  await make.identifier(card, { source: 'scryfall', value: ' a|b ' })
  await remove('identifiers', await make.identifier(card), 'v2')
  await make.identifier(lateParent)

  // Deleted records, and what they refer to.
  const [gonePlayer, goneTeam, goneCode] = [await make.player(), await make.team(), await make.attribute()]
  const gonePair = await make.playerTeam({ player: gonePlayer, team: goneTeam })
  const deletedCard = await make.card({ set, number: '3', oncard: [gonePair, gonePlayer], attributes: [goneCode] })
  const same = { source: 'given-way', value: '1' }
  await make.identifier(deletedCard, same)
  await make.identifier(deletedCard)
  await remove('cards', deletedCard)
  await make.identifier(card, same)
  const goneLabels = { genre: await make.genre(), year: await make.year(), brand: await make.brand() }
  const goneSet = await make.set(goneLabels)
  await make.setSource(goneSet)
  const hidden = await make.card({ set: goneSet, number: '1', oncard: [gonePlayer, pair], attributes: [goneCode] })
  await make.objectAttribute(hidden, { attribute_id: code.id })
  await make.identifier(goneSet)
  await make.identifier(hidden)
  await make.identifier(goneLabels.brand)
  await make.identifier(gonePlayer)
  await remove('sets', goneSet)
  await remove('player-teams', gonePair)
  await remove('players', gonePlayer)
  await remove('teams', goneTeam)
  await remove('attributes', goneCode)
  for (const [path, label] of [
    ['genres', goneLabels.genre],
    ['years', goneLabels.year],
    ['brands', goneLabels.brand],
  ] as const)
    await remove(path, label)
  await make.genre({ name: goneLabels.genre.attributes.name })
  await make.attribute({ attribute: goneCode.attributes.attribute })
  const halfPair = await make.playerTeam({ team })
  await remove('players', { ...halfPair, id: String(halfPair.attributes.player_id) })

  return { card, deletedCard, image, lateParent, earlyChild, hidden }
}
