import { expect, test } from 'bun:test'
import { restoreAttached } from '../../src/catalog/write/attached/restore.ts'
import { enter } from '../../src/catalog/write/write-transaction.ts'
import type { Answer, Shown } from '../support/answer.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { concurrentDatabase } from '../support/database.ts'
import { aDocument, aName, factories, toMany, toOne } from '../support/factories.ts'

const database = await concurrentDatabase('writers of the catalog at the same time')

const claims = (app: TestApp) => {
  const make = factories(app)
  const { operator } = app
  const atOnce = <T>(times: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: times }, (_, index) => work(index)))
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)
  const patch = (record: Shown, attributes: object, relationships: object = {}) =>
    operator.patch(
      record.links.self?.slice(app.baseUrl.length) ?? '',
      aDocument(record.type, { ...attributes }, { ...relationships }, record.id),
    )

  test('of many creates with one id one is made, the others are conflicts', async () => {
    const [set, id] = [await make.set(), crypto.randomUUID()]
    const answers = await atOnce(16, (n) =>
      operator.post('/v1/cards', aDocument('cards', { number: String(n) }, { set: toOne(set) }, id)),
    )
    expect(statuses(answers)).toEqual([201, ...Array(15).fill(409)])
    const made = answers.find(({ status }) => status === 201)
    expect((await operator.get(`/v1/cards/${id}`)).one).toEqual(made?.one as Shown)
  })

  test('of many labels with one name one is made, the others are told that it is taken', async () => {
    for (const type of ['brands', 'genres', 'years', 'manufacturers']) {
      const name = aName('Same')
      const answers = await atOnce(8, (n) =>
        operator.post(`/v1/${type}`, aDocument(type, { name: n % 2 ? name : name.toUpperCase() })),
      )
      expect(statuses(answers)).toEqual([201, ...Array(7).fill(422)])
    }
  })

  test('of many renames to one name one holds', async () => {
    const [brands, name] = [await atOnce(6, () => make.brand()), aName('Wanted')]
    const answers = await Promise.all(brands.map((brand) => patch(brand, { name })))
    expect(statuses(answers)).toEqual([200, ...Array(5).fill(422)])
  })

  test('a pair posted many times at once is made, and restored, once', async () => {
    const [player, team] = [await make.player(), await make.team()]
    const post = () =>
      operator.post('/v1/player-teams', aDocument('playerteams', { player_id: player.id, team_id: team.id }))
    const made = await atOnce(8, post)
    expect(statuses(made)).toEqual([201, ...Array(7).fill(409)])
    const { id } = (await operator.get(`/v1/player-teams?filter[player_id]=${player.id}`)).many[0] as Shown
    expect(statuses(await atOnce(4, () => operator.delete(`/v1/player-teams/${id}`)))).toEqual([204, 404, 404, 404])
    expect(statuses(await atOnce(8, post))).toEqual([201, ...Array(7).fill(409)])
  })

  test('of many values of one attribute on one object one is made', async () => {
    const [set, attribute] = [await make.set(), await make.attribute()]
    const values = { attribute_id: attribute.id, object_type: 'set', object_id: set.id }
    const answers = await atOnce(8, (n) =>
      operator.post('/v1/object-attributes', aDocument('object-attributes', { ...values, attribute_value: `${n}` })),
    )
    expect(statuses(answers)).toEqual([201, ...Array(7).fill(409)])
  })

  test('an attribute is in use from the moment at which an export begins to bring a value of it back', async () => {
    const [set, attribute] = [await make.set(), await make.attribute()]
    const content = { attribute_id: attribute.id, attribute_value: 'PSA 10', object_type: 'set', object_id: set.id }
    const record = { type: 'object-attributes', id: crypto.randomUUID(), deleted: false, content } as const
    const deletion = await enter(app.db, async (tx) => {
      await restoreAttached(tx, record, { level: 1, now: app.clock.now() })
      const asked = operator.delete(`/v1/attributes/${attribute.id}`)
      await Promise.race([asked, Bun.sleep(200)])
      return { asked }
    })
    expect((await deletion.asked).status).toBe(409)
  })

  test('no update of a card is lost: changes of different fields all hold', async () => {
    const card = await make.card()
    const [player, code] = [await make.player(), await make.attribute()]
    const parts: [object, object?][] = [
      ...([[{ number: '7' }], [{ title: 'T' }], [{ notes: 'N' }], [{ serial_number: '/9' }]] as [object][]),
      [{}, { oncard: toMany([player]) }],
      [{}, { attributes: toMany([code]) }],
    ]
    const answers = await Promise.all(
      parts.map(([attributes, relationships]) => patch(card, attributes, relationships)),
    )
    expect(statuses(answers)).toEqual(parts.map(() => 200))
    const { one } = await operator.get(`/v1/cards/${card.id}`)
    expect(one.attributes).toMatchObject({
      name: `7 ${player.attributes.name} T ${code.attributes.attribute} /9`,
      ...{ number: '7', title: 'T', notes: 'N', serial_number: '/9' },
    })
  })

  test('no update of a set or a player is lost', async () => {
    const [set, brand, player] = [await make.set(), await make.brand(), await make.player()]
    const answers = await Promise.all([
      ...[patch(set, { name: 'New' }), patch(set, { status: 'published' }), patch(set, { kind: 'insert' })],
      ...[
        patch(set, {}, { brand: toOne(brand) }),
        patch(player, { first_name: 'A' }),
        patch(player, { last_name: 'B' }),
      ],
      patch(player, { position: 'C' }),
    ])
    expect(statuses(answers)).toEqual(answers.map(() => 200))
    const { attributes, relationships } = (await operator.get(`/v1/sets/${set.id}`)).one
    expect(attributes).toMatchObject({ name: 'New', status: 'published', kind: 'insert' })
    expect(relationships.brand as object).toEqual(toOne(brand))
    expect((await operator.get(`/v1/players/${player.id}`)).one.attributes).toMatchObject({
      name: 'A B',
      position: 'C',
    })
  })

  test('sets that are re-parented at once never form a circle', async () => {
    for (let round = 0; round < 6; round++) {
      const sets = await atOnce(3, () => make.set())
      const answers = await Promise.all(
        sets.map((set, n) => patch(set, {}, { parent: toOne(sets[(n + 1) % sets.length] as Shown) })),
      )
      expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true)
      expect(answers.some(({ status }) => status === 422)).toBe(true)
    }
    const circles = await app.db.sql`
      with recursive line (id, at, depth) as (
        select id, parent_id, 1 from sets where parent_id is not null
        union all
        select line.id, s.parent_id, depth + 1 from line join sets s on s.id = line.at
        where s.parent_id is not null and depth < 50
      )
      select id from line where id = at`
    expect([...circles]).toEqual([])
  })

  test('what is deleted while something begins to use it is either kept or never used', async () => {
    for (let round = 0; round < 6; round++) {
      const [brand, player, set, parent] = [await make.brand(), await make.player(), await make.set(), await make.set()]
      const names = { name: aName('Set') }
      const answers = await Promise.all([
        operator.delete(`/v1/brands/${brand.id}`),
        operator.post('/v1/sets', aDocument('sets', names, { brand: toOne(brand) })),
        operator.delete(`/v1/players/${player.id}`),
        operator.post('/v1/cards', aDocument('cards', {}, { set: toOne(set), oncard: toMany([player]) })),
        operator.delete(`/v1/sets/${set.id}?force=true`),
        operator.delete(`/v1/sets/${parent.id}`),
        operator.post('/v1/sets', aDocument('sets', names, { parent: toOne(parent) })),
      ])
      const [brandGone, setMade, playerGone, cardMade, setGone, parentGone, childMade] = answers.map(
        ({ status }) => status,
      )
      expect([
        [204, 422],
        [409, 201],
      ]).toContainEqual([brandGone, setMade] as number[])
      expect([
        [204, 422],
        [409, 201],
      ]).toContainEqual([parentGone, childMade] as number[])
      expect([204, 409]).toContain(playerGone as number)
      expect([201, 422]).toContain(cardMade as number)
      expect(setGone).toBe(204)
    }
    const orphans = await app.db.sql`
      select s.id from sets s left join brands b on b.id = s.brand_id left join sets p on p.id = s.parent_id
      where s.deleted_at is null and (b.deleted_at is not null or p.deleted_at is not null)
      union all
      select c.id from cards c join oncard o on o.card_id = c.id join players p on p.id = o.player_id
      where c.deleted_at is null and p.deleted_at is not null`
    expect([...orphans]).toEqual([])
  })
}

if (database) claims(await testApp({ db: database }))
else test.skip('writers of the catalog at the same time need TEST_DATABASE_URL', () => {})
