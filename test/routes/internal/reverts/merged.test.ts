import { describe, expect, test } from 'bun:test'
import { runningCommands } from '../../../commands/running.ts'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, toMany, toOne } from '../../../support/factories.ts'
import { merging } from '../../../support/merges.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)
const { merge, undo } = merging(app)

const at = ({ type, id }: Pick<Shown, 'type' | 'id'>) => `/v2/${type}/${id}`
const now = async (record: Shown) => (await operator.get(at(record))).one
const remove = async (record: Shown) => expect((await operator.delete(at(record))).status).toBe(204)
const change = async (record: Shown, relationships: object) =>
  expect((await operator.patch(at(record), aDocument(record.type, {}, { ...relationships }, record.id))).status).toBe(
    200,
  )
const revert = async ({ type, id }: Shown) => {
  const [newest] = (await operator.get(`/v2/${type}/${id}/revisions`)).many
  const body = JSON.stringify({ object_type: type, object_id: id, revision: newest?.id })
  return operator.send('POST', '/internal/reverts', { body, headers: { 'Content-Type': 'application/json' } })
}
const linked = async (record: Shown, name: string) =>
  (await operator.get(`${at(record)}?include=${name}`)).included?.map(({ id }) => id)

/** Records that were merged while a card and a set that name them were deleted, with the targets. */
const deletedWorld = async () => {
  const [player, team, code, brand] = [
    [await make.player(), await make.player()],
    [await make.team(), await make.team()],
    [await make.attribute(), await make.attribute()],
    [await make.brand(), await make.brand()],
  ] as [Shown, Shown][]
  if (!player || !team || !code || !brand) throw new Error('nothing was made')
  const sets = [await make.set({ brand: brand[0] }), await make.set()] as const
  const alone = await make.set({ brand: brand[0] })
  const card = await make.card({ set: sets[0], oncard: [...player, team[0]], attributes: code })
  await remove(card)
  await remove(alone)
  const merges: Shown[] = []
  for (const [from, into] of [player, team, code, brand, sets]) merges.push(await merge([from], into))
  return { card, alone, player, team, code, brand, sets, merges }
}
type DeletedWorld = Awaited<ReturnType<typeof deletedWorld>>

const expectTargets = async ({ card, player, team, code, sets }: DeletedWorld) => {
  expect(await linked(card, 'oncard')).toEqual([player[1].id, team[1].id])
  expect(await linked(card, 'card_attributes')).toEqual([code[1].id])
  expect(await linked(card, 'set')).toEqual([sets[1].id])
  expect([...(await app.db.sql`select * from drift`)]).toEqual([])
}

describe('a deleted record comes back with what its references were merged into', () => {
  test('by a revert', async () => {
    const world = await deletedWorld()
    expect((await revert(world.card)).status).toBe(201)
    await expectTargets(world)
    expect((await revert(world.alone)).status).toBe(201)
    expect(await linked(world.alone, 'brand')).toEqual([world.brand[1].id])
  })

  test('by a batch', async () => {
    const world = await deletedWorld()
    const data = [{ type: 'cards', id: world.card.id, attributes: { title: 'Back' }, relationships: {} }]
    const { results } = JSON.parse((await operator.post('/internal/card-batches', { data })).text)
    expect(results).toMatchObject([{ id: world.card.id, status: 'updated', restored: true }])
    await expectTargets(world)
  })

  test('by an import of an older export', async () => {
    const { context } = app
    const sets = [await make.set(), await make.set()] as const
    const [from, into] = [await make.player(), await make.player()]
    const card = await make.card({ set: sets[0], oncard: [from] })
    const older = (await runningCommands(context)('export')).out.split('\n')
    const line = older.find((one) => one.includes(`"id":"${card.id}"`)) ?? ''
    const setLine = older.find((one) => one.startsWith(`{"type":"sets","id":"${sets[0].id}"`)) ?? ''
    await remove(card)
    await merge([from], into)
    await merge([sets[0]], sets[1])
    const { exit } = await runningCommands(context, `${setLine}\n${line}`)('import', '-', '--overwrite', '--json')
    expect(exit).toBe(0)
    expect(await linked(card, 'oncard')).toEqual([into.id])
    expect(await linked(card, 'set')).toEqual([sets[1].id])
  })

  test('and with the old ones once the merge was undone', async () => {
    const { card, player, team, merges } = await deletedWorld()
    for (const one of merges.toReversed()) expect((await undo(one)).status).toBe(204)
    expect((await revert(card)).status).toBe(201)
    expect(await linked(card, 'oncard')).toEqual([player[0].id, player[1].id, team[0].id])
  })

  test('the cards of a set that was deleted, too', async () => {
    const [from, into, set] = [await make.player(), await make.player(), await make.set()]
    const card = await make.card({ set, oncard: [from] })
    await remove(set)
    await merge([from], into)
    expect((await revert(set)).status).toBe(201)
    expect(await linked(card, 'oncard')).toEqual([into.id])
  })
})

test('a revision that names merged records means their targets', async () => {
  const [from, into, other] = [await make.player(), await make.player(), await make.player()]
  const sets = [await make.set(), await make.set()] as const
  const card = await make.card({ set: sets[0], oncard: [from] })
  await change(card, { oncard: toMany([other]), set: toOne(await make.set()) })
  await merge([from], into)
  await merge([sets[0]], sets[1])
  expect((await revert(card)).status).toBe(201)
  expect(await linked(card, 'oncard')).toEqual([into.id])
  expect(await linked(card, 'set')).toEqual([sets[1].id])
  const brands = [await make.brand(), await make.brand()] as const
  const set = await make.set({ brand: brands[0] })
  await change(set, { brand: toOne(null) })
  await merge([brands[0]], brands[1])
  expect((await revert(set)).status).toBe(201)
  expect((await now(set)).relationships).toMatchObject({ brand: { data: { id: brands[1].id } } })
})
