import { describe, expect, test } from 'bun:test'
import { runningCommands } from '../../../commands/running.ts'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'

const app = await testApp()
const { operator, reader } = app
const headers = { 'Content-Type': 'application/vnd.api+json' }
const make = factories(app)

type Checklist = {
  data: { checklist: { id: string; attributes: { number: string | null } }[]; missing: string[]; total_cards: number }
  meta: { total: number; missing: { total: number; truncated: boolean }; pagination: Record<string, number> }
  links: Record<string, string>
}
const read = async (id: string, query = '', as = operator): Promise<Checklist> =>
  JSON.parse((await as.get(`/v1/sets/${id}/checklist${query}`)).text)
const numbersIn = ({ data }: Checklist) => data.checklist.map(({ attributes }) => attributes.number)
const add = async (id: string, lines?: unknown[], as = operator) => {
  const body = lines && JSON.stringify({ data: { type: 'checklist', attributes: { lines } } })
  const { status, text } = await as.send('POST', `/v1/sets/${id}/checklist`, body ? { body, headers } : {})
  return {
    status,
    ...(JSON.parse(text) as { message: string; data: Record<string, unknown>; errors: Record<string, unknown>[] }),
  }
}
const aSet = async (numbers: (string | null)[], status = 'published') => {
  const set = await make.set({ status })
  for (const number of numbers) await make.card({ set, number })
  return set
}

describe('GET /v1/sets/{id}/checklist', () => {
  test('gives the cards in order by page, and on each page the numbers that are missing up to the highest', async () => {
    const set = await aSet(['7', '1', '003', 'RC-9', null])
    const first = await read(set.id, '?per_page=3', reader)
    expect(numbersIn(first)).toEqual(['1', '003', '7'])
    expect(first.data).toMatchObject({ missing: ['2', '4', '5', '6'], total_cards: 5 })
    expect(first.meta).toMatchObject({
      ...{ total: 5, missing: { total: 4, truncated: false } },
      pagination: { total: 5, count: 3, per_page: 3, current_page: 1, total_pages: 2 },
    })
    const second = JSON.parse(
      (await reader.get(new URL(first.links.next as string).pathname + new URL(first.links.next as string).search))
        .text,
    )
    expect([numbersIn(second), second.data.missing]).toEqual([
      ['RC-9', null],
      ['2', '4', '5', '6'],
    ])
    expect((await read(set.id)).data.checklist).toHaveLength(5)
    expect((await read((await aSet([])).id)).data).toEqual({ checklist: [], missing: [], total_cards: 0 })
  })
  test('shows at most 10,000 missing numbers, says how many they are, and adds none of them', async () => {
    const set = await aSet(['2', '2000000', '999999999999'])
    const { data, meta } = await read(set.id)
    expect([data.missing.length, data.missing[0], data.missing[1], data.missing.at(-1)]).toEqual([
      10_000,
      '1',
      '3',
      '10001',
    ])
    expect(meta.missing).toEqual({ total: 1_999_998, truncated: true })
    const refused = await add(set.id)
    expect([refused.status, refused.errors[0]?.detail]).toEqual([409, expect.stringContaining('1,999,998 numbers')])
    expect((await read(set.id)).data.total_cards).toBe(3)
  })
  test('gives the page as CSV that an import reads as what is there', async () => {
    const set = await aSet(['2', '10'])
    const player = await make.player({ first_name: 'Ann', last_name: 'Lee' })
    await make.card({ set, number: '1', title: '=a, "b"', oncard: [player] })
    const { text, headers: shown } = await operator.get(`/v1/sets/${set.id}/checklist?format=csv&per_page=2`)
    expect(shown.get('content-type')).toBe('text/csv; charset=utf-8')
    const [header, one] = text.split('\r\n')
    expect(header).toBe('set,number,player,team,title,attributes,serial_number,notes,id,set_id')
    expect(one).toContain(`,1,Ann Lee,,"'=a, ""b""",,,,`)
    expect(text.split('\r\n')).toHaveLength(4)
    const { json } = await runningCommands(app.context, text)('import', '-', '--json')
    expect(json).toMatchObject({ sets: { created: 0, updated: 0 }, cards: { created: 0, updated: 0, unchanged: 2 } })
  })
  test('drafts are not there for who may not see them, and nonsense is refused', async () => {
    const draft = await aSet(['2'], 'draft')
    for (const path of [`/v1/sets/${draft.id}/checklist`, `/v2/sets/${draft.id}/checklist`, '/v1/sets/1/checklist'])
      expect((await reader.get(path)).status).toBe(404)
    expect((await read(draft.id)).data.missing).toEqual(['1'])
    for (const query of ['format=xml', 'per_page=101', 'page=0', 'include=set', 'format=csv&format=csv'])
      expect((await operator.get(`/v1/sets/${draft.id}/checklist?${query}`)).status).toBe(400)
    expect((await operator.send('HEAD', `/v1/sets/${draft.id}/checklist`)).status).toBe(200)
  })
})

describe('GET /v2/sets/{id}/checklist', () => {
  test('gives the cards in order by cursor, with the set included, also of an empty one', async () => {
    const set = await aSet(['10', '9', '1'])
    const { document, many, included } = await reader.get(`/v2/sets/${set.id}/checklist?per_page=2`)
    expect(many.map(({ attributes }) => attributes.number)).toEqual(['1', '9'])
    expect(included.map(({ type, id }) => [type, id])).toEqual([['sets', set.id]])
    const next = new URL((document.links as { next: string }).next)
    expect((await reader.get(next.pathname + next.search)).many.map(({ attributes }) => attributes.number)).toEqual([
      '10',
    ])
    const empty = await aSet([])
    expect((await reader.get(`/v2/sets/${empty.id}/checklist`)).included.map(({ id }) => id)).toEqual([empty.id])
    expect((await reader.get(`/v2/sets/${set.id}/checklist?per_page=2&page[size]=2`)).status).toBe(400)
  })
})

describe('POST /v1/sets/{id}/checklist', () => {
  test('without a body adds the missing numbers as empty cards, once, with history and feed', async () => {
    const set = await aSet(['2', '5', 'X'])
    expect(await add(set.id)).toMatchObject({
      status: 200,
      message: '3 missing cards added.',
      data: { created: 3, missing: 0 },
    })
    const { data } = await read(set.id)
    expect(data).toMatchObject({ missing: [], total_cards: 6 })
    expect(numbersIn(await read(set.id))).toEqual(['1', '2', '3', '4', '5', 'X'])
    expect(await add(set.id)).toMatchObject({ data: { created: 0 } })
    const feed = JSON.parse((await operator.get('/v2/changes?page[size]=1000&filter[type]=cards')).text)
    const ids = (feed.data as { id: string; relationships?: unknown }[]).map((change) => JSON.stringify(change)).join()
    expect(data.checklist.every(({ id }) => ids.includes(id))).toBe(true)
  })
  test('two at once add each number once', async () => {
    const set = await aSet(['9'])
    const both = await Promise.all([add(set.id), add(set.id)])
    expect(both.map(({ data }) => data.created).toSorted()).toEqual([0, 8])
  })
  test('with lines adds CSV rows, with and without a header, and objects, into this set', async () => {
    const set = await aSet(['1'])
    expect(
      await add(set.id, [
        '2,Ann Lee,Chicago Bulls,RC',
        '007,Bo Lee|Cy Lee',
        { number: '8', player: ['Di Lee'], set: 'Other' },
      ]),
    ).toMatchObject({
      ...{ status: 200, message: '3 cards added, 0 changed, 0 already there.' },
      data: { created: 3, updated: 0, unchanged: 0, refused: [] },
    })
    expect(await add(set.id, ['Card #;Player;Title', '9;Ann Lee;"A; b"', '2;Ann Lee;'])).toMatchObject({
      data: { created: 1, updated: 0, unchanged: 1 },
    })
    const answer = await operator.get(`/v1/sets/${set.id}/checklist`)
    const names = (JSON.parse(answer.text) as { data: { checklist: { attributes: { name: string } }[] } }).data
      .checklist
    expect(names.map(({ attributes }) => attributes.name)).toEqual([
      '1',
      '2 Ann Lee RC',
      '007 Bo Lee / Cy Lee',
      '8 Di Lee',
      '9 Ann Lee A; b',
    ])
    const undone = await add(set.id, ['11,Ann Lee'])
    const { exit } = await runningCommands(app.context)('import', '--undo', String(undone.data.import_id))
    expect([exit, (await read(set.id)).data.total_cards]).toEqual([0, 5])
  })
  test('one bad line refuses all of them, at its place', async () => {
    const set = await aSet([])
    const { status, errors } = await add(set.id, ['1,Ann Lee', 'number', 7, '2,"Bo" Lee', { number: { a: 1 } }])
    expect([status, errors.map(({ source }) => (source as { pointer: string }).pointer)]).toEqual([
      422,
      ['/data/attributes/lines/2'],
    ])
    const refused = await add(set.id, ['1,Ann Lee', '2,"Bo" Lee', { number: { a: 1 } }, ',,,'])
    expect([refused.status, refused.errors.map(({ source }) => (source as { pointer: string }).pointer)]).toEqual([
      422,
      ['/data/attributes/lines/1', '/data/attributes/lines/3', '/data/attributes/lines/2'],
    ])
    expect((await read(set.id)).data.total_cards).toBe(0)
    expect((await add(set.id, [])).status).toBe(422)
    expect((await add(set.id, ['1\n2,Ann Lee'])).status).toBe(422)
    const send = (body: string) => operator.send('POST', `/v1/sets/${set.id}/checklist`, { body, headers })
    expect((await send('{}')).status).toBe(400)
    expect((await send('{"data":{"type":"cards"}}')).status).toBe(409)
    expect((await add(crypto.randomUUID(), ['1,Ann Lee'])).status).toBe(404)
    expect((await add(set.id, ['1,Ann Lee'], reader)).status).toBe(403)
  })
})
