import { expect, test } from 'bun:test'
import { resourceOf } from '../../src/catalog/model/index.ts'
import type { Shown } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'

const app = await testApp()
const make = factories(app)

/** Quotes, a backslash, what looks like the member behind the attributes, letters beyond ASCII. */
const odd = (noun: string) => `${noun} "x\\",\\"version\\": ","version":7,"created_at":"1999 é😀<&>`
const lines = `${odd('Notes')}\nsecond line\twith a tab and \u2028`

const everyKind = async (): Promise<Shown[]> => {
  const [brand, genre] = [
    await make.brand({ name: odd('B'), description: lines }),
    await make.genre({ name: odd('G') }),
  ]
  const [player, team] = [
    await make.player({ last_name: odd('P'), position: odd('C') }),
    await make.team({ name: odd('T') }),
  ]
  const pair = await make.playerTeam({ player, team })
  const attribute = await make.attribute({ attribute: odd('A'), name: odd('Mark'), description: lines })
  const set = await make.set({ name: odd('S'), description: lines, brand, genre, release_date: '1997-03-01' })
  const card = await make.card({
    set,
    number: odd('1'),
    title: odd('Title'),
    notes: lines,
    oncard: [player, pair],
    attributes: [attribute],
  })
  const source = await make.setSource(set, { title: odd('Source'), notes: lines })
  const mark = await make.objectAttribute(card, { attribute_id: attribute.id, attribute_value: odd('PSA') })
  return [brand, genre, player, team, pair, attribute, set, card, source, mark]
}

test('a record has the same text whether its fields are named or not, in /v1 and /v2', async () => {
  for (const { type, id } of await everyKind()) {
    const resource = resourceOf(type)
    for (const api of ['/v1', '/v2']) {
      const path = `${api}/${resource.path}/${id}`
      const whole = await app.operator.get(path)
      expect(whole.status).toBe(200)
      const names = [...Object.keys(whole.one.attributes), ...Object.keys(whole.one.relationships ?? {})]
      const named = await app.operator.get(`${path}?fields[${type}]=${names.join(',')}`)
      expect(dataOf(named.text)).toBe(dataOf(whole.text))
    }
  }
})

/** What stands behind the document's links, which name the query. */
const dataOf = (text: string) => text.slice(text.indexOf('"data":'))
