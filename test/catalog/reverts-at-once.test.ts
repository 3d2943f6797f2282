import { expect, test } from 'bun:test'
import type { Answer, Shown } from '../support/answer.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { concurrentDatabase } from '../support/database.ts'
import { aDocument, factories, toMany } from '../support/factories.ts'

const database = await concurrentDatabase('reverts beside other writers')

const claims = (app: TestApp) => {
  const make = factories(app)
  const { operator } = app
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)
  const change = (record: Shown, attributes: object, relationships: object = {}) =>
    operator.patch(
      `/v2/${record.type}/${record.id}`,
      aDocument(record.type, { ...attributes }, { ...relationships }, record.id),
    )
  const historyOf = async ({ type, id }: Shown) => (await operator.get(`/v2/${type}/${id}/revisions`)).many
  const revert = async ({ type, id }: Shown, revision: string | undefined) =>
    operator.send('POST', '/internal/reverts', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ object_type: type, object_id: id, revision }),
    })
  const now = async ({ type, id }: Shown) => (await operator.get(`/v2/${type}/${id}`)).one

  test('of many reverts of one revision one is done', async () => {
    const card = await make.card({ number: '1' })
    await change(card, { number: '2' })
    const [revision] = await historyOf(card)
    const answers = await Promise.all(Array.from({ length: 8 }, () => revert(card, revision?.id)))
    expect(statuses(answers)).toEqual([201, ...Array(7).fill(409)])
    expect(await historyOf(card)).toHaveLength(2)
  })

  test('writers of other fields lose nothing to it, and the history has the order of what happened', async () => {
    const team = await make.team({ name: 'One', location: 'L0', abbreviation: 'A0' })
    await change(team, { name: 'Two' })
    const [revision] = await historyOf(team)
    const changes = Array.from(
      { length: 6 },
      (_, n) => () => change(team, n % 2 ? { location: `L${n}` } : { abbreviation: `A${n}` }),
    )
    const answers = await Promise.all(
      [...changes, () => revert(team, revision?.id)].toReversed().map((write) => write()),
    )
    expect(answers.filter(({ status }) => status >= 400)).toEqual([])
    const history = (await historyOf(team)).toReversed()
    const state: Record<string, unknown> = { name: 'One', location: 'L0', abbreviation: 'A0' }
    for (const { attributes } of history)
      for (const [field, { before, after }] of Object.entries(
        attributes.changes as Record<string, Shown['attributes']>,
      )) {
        expect([field, state[field]]).toEqual([field, before])
        state[field] = after
      }
    expect((await now(team)).attributes).toMatchObject({ ...state, name: 'One' })
  })

  test('a card comes back with a player, or the player goes: never both', async () => {
    for (let round = 0; round < 12; round++) {
      const player = await make.player()
      const card = await make.card({ oncard: [player] })
      await operator.delete(`/v2/cards/${card.id}`)
      const [revision] = await historyOf(card)
      const back = () => revert(card, revision?.id)
      const gone = () => operator.delete(`/v2/players/${player.id}`)
      const [first, second] = await Promise.all(round % 2 ? [back(), gone()] : [gone(), back()])
      const [reverted, deleted] = round % 2 ? [first, second] : [second, first]
      const outcome = `${reverted?.status} ${deleted?.status}`
      expect(['201 409', '409 204']).toContain(outcome)
    }
  })

  test('reverts that cross other writers of the same records end, with no fault', async () => {
    const [one, other, set] = [await make.player(), await make.player(), await make.set()]
    const cards = await Promise.all(Array.from({ length: 6 }, () => make.card({ set, oncard: [one, other] })))
    for (const card of cards) await change(card, { title: 'T' }, { oncard: toMany([other, one]) })
    const revisions = await Promise.all(cards.map(async (card) => (await historyOf(card))[0]?.id))
    const answers = await Promise.all([
      ...cards.map((card, n) => revert(card, revisions[n])),
      ...[one, other].map((player) => change(player, { last_name: 'Else' })),
      change(set, { status: 'published' }),
      ...cards.map((card) => change(card, { notes: 'n' })),
    ])
    expect(answers.filter(({ status }) => status >= 400)).toEqual([])
    for (const card of cards) {
      const { attributes, relationships } = await now(card)
      expect(attributes).toMatchObject({ title: null, notes: 'n', name: 'Pat Else / Pat Else' })
      expect(relationships.oncard?.data).toMatchObject([{ id: one.id }, { id: other.id }])
    }
  })
}

if (database) claims(await testApp({ db: database }))
else test.skip('reverts beside other writers need TEST_DATABASE_URL', () => {})
