import { describe, expect, test } from 'bun:test'
import { resources } from '../../src/catalog/model/index.ts'
import { apiOf, type Resource } from '../../src/catalog/model/resource.ts'
import { resourceInV2 } from '../../src/catalog/model/v2.ts'
import { testApp } from '../support/app.ts'
import { type Draft, goodDocumentOf, goodDocuments } from '../support/good-documents.ts'
import { aWorld } from '../support/worlds.ts'

const app = await testApp()
const good = goodDocuments(app, await aWorld(app, 'draft'))

const values: unknown[] = [
  ...[null, 0, -1, 1.5, true, [], [null], {}, { data: {} }, { data: [null] }, { data: { type: ['sets'], id: {} } }],
  ...['', ' ', 'a\u0000b', 'a\udc00', '💩'.repeat(255), '💩'.repeat(256), 'a'.repeat(300_000), '9999-12-31'],
  ...["'; drop table cards; --", '\\', '{1,2}', '00000000-0000-0000-0000-000000000000', 'javascript:alert(1)'],
  ...[
    '-infinity',
    { data: null },
    { data: [] },
    { data: { type: 'sets', id: '00000000-0000-0000-0000-000000000000' } },
  ],
]

const isRefusal = (status: number) => [400, 403, 409, 422].includes(status)

const totalOf = async (resource: Resource) => {
  const scope = !resource.api && resource.type === 'sets' ? '?scope=all' : ''
  const { meta } = await app.operator.get(`${addressOf(resource)}${scope}`, { 'X-Cardstock-Ignore-Status': 'true' })
  return resource.api ? (meta.page as { total: number }).total : (meta.total as number)
}

const addressOf = (resource: Resource) => `${apiOf(resource)}/${resource.path}`

/** Every type that documents create; players and sets also as /v2 has them. */
const writable = [
  ...resources.filter(({ type }) => type in good),
  ...['players', 'sets', 'identifiers'].map(resourceInV2),
].map((resource) => [addressOf(resource), resource] as const)

describe.each(writable)('nonsense to %s', (path, resource) => {
  const { type } = resource
  const post = (data: unknown) => app.operator.post(path, { data })
  const fresh = () => goodDocumentOf(good, resource)

  test('in a field of a new one never fails, and what is refused leaves nothing behind', async () => {
    let total = await totalOf(resource)
    let document = await fresh()
    for (const [member, name] of fieldsOf(document))
      for (const value of values) {
        const { status, faults } = await post({ ...document, [member]: { ...document[member], [name]: value } })
        const about = [member, name, String(value).slice(0, 40), status]
        expect([...about, status === 201 || isRefusal(status)]).toEqual([...about, true])
        if (status === 422 && faults.length === 1)
          expect(faults[0]).toStartWith(`VALIDATION-FAILED /data/${pointerOf(member, name)}`)
        if (status !== 201) continue
        total++
        document = await fresh()
      }
    expect(await totalOf(resource)).toBe(total)
  })

  test('in a field of an update never fails, and what is refused changes nothing', async () => {
    const document = await fresh()
    let { one } = await post(document)
    const address = `${path}/${one.id}`
    for (const [member, name] of fieldsOf(document)) {
      for (const value of values) {
        const change = { type, id: one.id, [member]: { [name]: value } }
        const answer = await app.operator.patch(address, { data: change })
        const about = [member, name, String(value).slice(0, 40), answer.status]
        expect([...about, answer.status === 200 || isRefusal(answer.status)]).toEqual([...about, true])
        if (answer.status === 200) one = answer.one
      }
      expect((await app.operator.get(address)).one).toEqual(one)
    }
  })

  test('in the place of data, type or id is refused', async () => {
    const total = await totalOf(resource)
    const document = await fresh()
    for (const value of values) {
      expect((await post(value)).status).toBe(400)
      expect([400, 409]).toContain((await post({ ...document, type: value })).status)
      expect([400, 403]).toContain((await post({ ...document, id: value, attributes: 1 })).status)
    }
    expect(await totalOf(resource)).toBe(total)
  })
})

const fieldsOf = (document: Draft): ['attributes' | 'relationships', string][] => [
  ...Object.keys(document.attributes ?? {}).map((name): ['attributes', string] => ['attributes', name]),
  ...Object.keys(document.relationships ?? {}).map((name): ['relationships', string] => ['relationships', name]),
]

/** A player without any name is refused at the last name. */
const pointerOf = (member: string, name: string) => {
  return member === 'attributes' && name.endsWith('_name') ? 'attributes/' : `${member}/${name}`
}
