import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { aDocument, aName, factories, setStatus } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)

const labels = [
  ['brands', 'brand'],
  ['manufacturers', 'manufacturer'],
  ['genres', 'genre'],
  ['years', 'year'],
] as const

describe.each(labels)('/v1/%s', (path, noun) => {
  const post = (attributes: object) => app.operator.post(`/v1/${path}`, aDocument(path, { ...attributes }))
  const patch = (id: string, attributes: object) =>
    app.operator.patch(`/v1/${path}/${id}`, aDocument(path, { ...attributes }, {}, id))
  const isYear = path === 'years'
  const taken = ['VALIDATION-FAILED /data/attributes/name']

  test('shows what was written', async () => {
    const name = aName('Name')
    const { one } = await post({ name })
    const { created_at, updated_at, url, ...attributes } = one.attributes
    expect(attributes).toEqual(isYear ? { name, parent_year: null } : { name, description: null })
    expect([created_at, typeof url]).toEqual([updated_at, 'string'])
    expect(one.relationships).toEqual(isYear ? { parent: { data: null } } : (undefined as never))
  })

  test('a description is its own, and a year has none', async () => {
    const answer = await post({ name: aName('Name'), description: 'Text' })
    if (isYear) expect(answer.faults).toEqual(['VALIDATION-FAILED /data/attributes/description'])
    else expect((await patch(answer.one.id, { description: null })).one.attributes.description).toBeNull()
  })

  test('a name is unique without case among live records', async () => {
    const name = aName('Ünique')
    const first = (await post({ name })).one
    for (const same of [name, name.toUpperCase(), name.toLowerCase()])
      expect((await post({ name: same })).faults).toEqual(taken)
    const second = (await post({ name: `${name} II` })).one
    expect((await patch(second.id, { name: name.toLowerCase() })).faults).toEqual(taken)
    expect((await patch(first.id, { name: name.toUpperCase() })).one.attributes.name).toBe(name.toUpperCase())
    expect((await app.operator.delete(`/v1/${path}/${first.id}`)).status).toBe(204)
    expect((await patch(second.id, { name })).status).toBe(200)
  })

  test('a name cannot be emptied', async () => {
    const { one } = await post({ name: aName('Name') })
    for (const name of [null, '', ' ']) expect((await patch(one.id, { name })).faults).toEqual(taken)
    expect((await app.operator.get(`/v1/${path}/${one.id}`)).one).toEqual(one)
  })

  test('what a live set uses answers 409 to DELETE, what only deleted ones use is deleted', async () => {
    const label = await make[noun]()
    const sets = [await make.set({ [noun]: label }), await make.set({ [noun]: label, status: 'published' })]
    const remove = () => app.operator.delete(`/v1/${path}/${label.id}`)
    for (const set of sets) {
      expect([(await remove()).status, (await remove()).faults]).toEqual([409, ['CONFLICT']])
      await app.operator.delete(`/v1/sets/${set.id}`)
    }
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
    expect((await app.draftReader.get(`/v1/${path}/${label.id}`)).status).toBe(404)
    expect((await patch(label.id, { name: 'x' })).status).toBe(404)
  })

  test('is shown to published readers while a published set leads to it', async () => {
    const label = await make[noun]()
    const set = await make.set({ [noun]: label })
    const seen = async () => [
      (await app.reader.get(`/v1/${path}/${label.id}`)).status,
      (await app.reader.get(`/v1/${path}?filter[name]=${label.attributes.name}`)).meta.total,
      (await app.draftReader.get(`/v1/${path}?filter[name]=${label.attributes.name}`)).meta.total,
    ]
    expect(await seen()).toEqual([404, 0, 1])
    await setStatus(app, set, 'published')
    expect(await seen()).toEqual([200, 1, 1])
    await app.operator.delete(`/v1/sets/${set.id}`)
    expect(await seen()).toEqual([404, 0, 1])
  })

  test('a rename shows at once, also in what is included', async () => {
    const label = await make[noun]()
    const set = await make.set({ [noun]: label })
    await patch(label.id, { name: `${label.attributes.name} renamed` })
    const { included } = await app.operator.get(`/v1/sets/${set.id}?include=${noun}`)
    expect(included.map(({ attributes }) => attributes.name as string)).toEqual([`${label.attributes.name} renamed`])
  })
})

test('renaming a year moves its sets in the order by year', async () => {
  const [early, late] = [await make.year({ name: '1901' }), await make.year({ name: '1902' })]
  const [a, b] = [
    await make.set({ status: 'published', year: early }),
    await make.set({ status: 'published', year: late }),
  ]
  const order = async () => (await app.reader.get('/v1/sets?order_by=year')).many.map(({ id }) => id)
  expect(await order()).toEqual([a.id, b.id])
  await app.operator.patch(`/v1/years/${early.id}`, aDocument('years', { name: '1903' }, {}, early.id))
  expect(await order()).toEqual([b.id, a.id])
})
