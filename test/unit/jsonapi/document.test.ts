import { describe, expect, test } from 'bun:test'
import { type DocumentShape, readDocument } from '../../../src/jsonapi/document.ts'
import { ApiError, mostFaults } from '../../../src/jsonapi/errors.ts'
import { name, nullable, optional, text, uuid } from '../../../src/jsonapi/fields.ts'

const id = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'
const other = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f'

const creating: DocumentShape = {
  type: 'cards',
  clientIds: true,
  attributes: { name: name(), title: optional(nullable(text(5))), owner: optional(uuid()) },
  relationships: {
    set: { types: ['sets'], many: false, required: true },
    parent: { types: ['cards'], many: false, nullable: true },
    oncard: { types: ['players', 'teams'], many: true, atMost: 3 },
  },
  readOnly: ['has_player', 'images'],
}
const updating: DocumentShape = { ...creating, id, attributes: { name: optional(name()), title: optional(text()) } }

const bytes = (text: string) => new TextEncoder().encode(text)
const set = { data: { type: 'sets', id: other } }
const good = { type: 'cards', attributes: { name: 'A' }, relationships: { set } }

const read = (data: unknown, shape: DocumentShape = creating) => readDocument(bytes(JSON.stringify({ data })), shape)

/** The refusal as `status pointer`, one for each error. */
const faultsOf = (work: () => unknown) => {
  try {
    work()
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.errors.map(({ status, source }) => (source?.pointer ? `${status} ${source.pointer}` : status))
  }
}
const faults = (data: unknown, shape?: DocumentShape) => faultsOf(() => read(data, shape))
const update = (data: object) => faults({ type: 'cards', id, ...data }, updating)

describe('a body', () => {
  test('that is no JSON in UTF-8 is a 400', () => {
    for (const bad of ['', ' ', '{', '{"data":', 'undefined', "{'data':1}", '{"data":{}}}', 'NaN', '[1,]'])
      expect([bad, faultsOf(() => readDocument(bytes(bad), creating))]).toEqual([bad, ['400']])
    for (const bad of [[0xff, 0xfe], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0]])
      expect(faultsOf(() => readDocument(new Uint8Array(bad), creating))).toEqual(['400'])
  })

  test('that is nested deeper than anyone reads is a 400, before it is parsed', () => {
    const nested = (depth: number) =>
      bytes(JSON.stringify({ data: good, meta: 0 }).replace(':0', `:${'['.repeat(depth)}${']'.repeat(depth)}`))
    expect(readDocument(nested(99), creating).attributes).toEqual({ name: 'A' })
    for (const depth of [100, 8_000_000]) expect(faultsOf(() => readDocument(nested(depth), creating))).toEqual(['400'])
    expect(faultsOf(() => readDocument(bytes('['.repeat(16_000_000)), creating))).toEqual(['400'])
  })

  test('may have any number of brackets and commas in its texts', () => {
    const name = '"[{,\\'.repeat(40)
    expect(read({ ...good, attributes: { name } }).attributes).toEqual({ name })
    const text = JSON.stringify({ data: good, meta: '[{,"\\'.repeat(50_000) })
    expect(readDocument(bytes(text), creating).attributes).toEqual({ name: 'A' })
  })

  test('with more members than any document has is a 400', () => {
    const attributes = Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`a${n}`, n]))
    expect(faults({ ...good, attributes })).toEqual(['400'])
  })

  test('without data or a type is a 400', () => {
    for (const bad of ['null', '1', '"x"', '[]', '{}', '{"errors":[]}'])
      expect([bad, faultsOf(() => readDocument(bytes(bad), creating))]).toEqual([bad, ['400']])
    for (const bad of [null, 1, 'x', [], [good], {}, { type: 1 }, { type: null }, { id }])
      expect([bad, faults(bad)]).toEqual([bad, ['400 /data']])
  })

  test('may bring a byte order mark, meta, links, jsonapi and included', () => {
    const document = {
      jsonapi: { version: '1.1' },
      meta: {},
      links: {},
      included: [],
      data: { ...good, links: {}, meta: {} },
    }
    expect(readDocument(bytes(`\ufeff${JSON.stringify(document)}`), creating)).toEqual({
      id: undefined,
      attributes: { name: 'A' },
      relationships: { set: set.data },
    })
  })

  test('that says a thing twice means the last', () => {
    const twice = JSON.stringify({ data: good }).replace('"name":"A"', '"name":1,"name":"B"')
    expect(readDocument(bytes(twice), creating).attributes).toEqual({ name: 'B' })
  })
})

describe('attributes or relationships that are no objects', () => {
  test('are a 400, before everything else about the document', () => {
    for (const member of ['attributes', 'relationships'])
      for (const bad of [null, 1, 'x', [], true])
        expect([member, bad, faults({ type: 'x', id: 1, [member]: bad })]).toEqual([
          member,
          bad,
          [`400 /data/${member}`],
        ])
  })
})

describe('a type or an id', () => {
  test('of something else is a 409', () => {
    expect(faults({ ...good, type: 'sets' })).toEqual(['409 /data/type'])
    expect(update({ type: 'card' })).toEqual(['409 /data/type'])
    for (const bad of [other, 'x', '', null, 1, [id]])
      expect([bad, update({ id: bad })]).toEqual([bad, ['409 /data/id']])
  })

  test('goes before bad fields', () => {
    expect(update({ id: other, attributes: { name: 1 } })).toEqual(['409 /data/id'])
  })

  test('is needed in an update, in any case', () => {
    expect(faults({ type: 'cards', attributes: {} }, updating)).toEqual(['400 /data'])
    expect(read({ type: 'cards', id: id.toUpperCase() }, updating)).toEqual({ id, attributes: {}, relationships: {} })
  })

  test('may be chosen at creation where the type allows it, and must be a UUID', () => {
    expect(read({ ...good, id: id.toUpperCase() }).id).toBe(id)
    for (const bad of [null, '', 'x', 1, {}, [id]])
      expect([bad, faults({ ...good, id: bad })]).toEqual([bad, ['422 /data/id']])
  })

  test('that is chosen for another type is a 403', () => {
    const strict = { ...creating, clientIds: undefined }
    expect(faults({ ...good, id }, strict)).toEqual(['403 /data/id'])
    expect(faults({ ...good, id: null }, strict)).toEqual(['422 /data/id'])
  })
})

describe('attributes', () => {
  test('are refused one by one, at their pointers', () => {
    expect(faults({ type: 'cards', attributes: { title: '123456', owner: 'x', 'a/b~c': 1 } })).toEqual([
      '422 /data/attributes/name',
      '422 /data/attributes/title',
      '422 /data/attributes/owner',
      '422 /data/attributes/a~1b~0c',
      '422 /data/relationships/set',
    ])
  })

  test('that nobody writes are ignored, whatever they hold', () => {
    const attributes = { name: 'A', has_player: {}, created_at: 1, updated_at: null, url: [] }
    expect(read({ ...good, attributes }).attributes).toEqual({ name: 'A' })
  })

  test('named like what every object has are unknown', () => {
    const text = JSON.stringify({ data: good }).replace('"name"', '"__proto__":{"a":1},"constructor":1,"name"')
    expect(faultsOf(() => readDocument(bytes(text), creating))).toEqual([
      '422 /data/attributes/__proto__',
      '422 /data/attributes/constructor',
    ])
  })

  test('take null only where it is said', () => {
    expect(read({ ...good, attributes: { name: 'A', title: null } }).attributes.title).toBeNull()
    expect(faults({ ...good, attributes: { name: null, owner: null } })).toEqual([
      '422 /data/attributes/name',
      '422 /data/attributes/owner',
    ])
  })

  test('that are UUIDs are kept in lower case', () => {
    expect(read({ ...good, attributes: { name: 'A', owner: id.toUpperCase() } }).attributes.owner).toBe(id)
  })

  test('without number are refused by the first thousand', () => {
    const attributes = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`a${n}`, n]))
    expect(faults({ ...good, attributes })).toHaveLength(mostFaults)
  })
})

describe('relationships', () => {
  const given = (relationships: object) => ({ ...good, relationships: { set, ...relationships } })

  test('are read as identifiers, with ids in lower case', () => {
    const player = { type: 'players', id: id.toUpperCase(), meta: {}, attributes: {} }
    expect(read(given({ oncard: { data: [player], links: {} }, parent: { data: null } })).relationships).toEqual({
      set: set.data,
      oncard: [{ type: 'players', id }],
      parent: null,
    })
  })

  test('are refused at the exact pointer', () => {
    const player = { type: 'players', id }
    const cases: [object, string[]][] = [
      [{ set: null }, ['/set']],
      [{ set: [] }, ['/set']],
      [{ set: {} }, ['/set']],
      [{ set: { data: null } }, ['/set/data']],
      [{ set: { data: [] } }, ['/set/data']],
      [{ set: { data: 'x' } }, ['/set/data']],
      [{ set: { data: {} } }, ['/set/data/type', '/set/data/id']],
      [{ set: { data: { type: 'brands', id } } }, ['/set/data/type']],
      [{ set: { data: { type: 'sets', id: 1 } } }, ['/set/data/id']],
      [{ oncard: { data: null } }, ['/oncard/data']],
      [{ oncard: { data: player } }, ['/oncard/data']],
      [{ oncard: { data: [player, { ...player, id: 'x' }, null] } }, ['/oncard/data/1/id', '/oncard/data/2']],
      [{ oncard: { data: [{ type: 'sets', id }] } }, ['/oncard/data/0/type']],
      [{ oncard: { data: [player, player, player, player] } }, ['/oncard/data']],
      [{ 'a/b': { data: null } }, ['/a~1b']],
      [{ constructor: {} }, ['/constructor']],
    ]
    for (const [relationships, pointers] of cases)
      expect([relationships, faults(given(relationships))]).toEqual([
        relationships,
        pointers.map((pointer) => `422 /data/relationships${pointer}`),
      ])
  })

  test('that are required are so at creation alone', () => {
    expect(faults({ ...good, relationships: {} })).toEqual(['422 /data/relationships/set'])
    expect(update({ relationships: {} })).toEqual([])
  })

  test('that are read-only are ignored', () => {
    expect(read(given({ images: 1, has_player: {} })).relationships).toEqual({ set: set.data })
  })

  test('without number are refused by the first thousand', () => {
    const many = { ...creating, relationships: { oncard: { types: ['players'], many: true } } }
    const data = Array.from({ length: 50_000 }, () => ({}))
    expect(faults({ type: 'cards', attributes: {}, relationships: { oncard: { data } } }, many)).toHaveLength(
      mostFaults,
    )
  })
})
