import { expect, test } from 'bun:test'
import { parseQuery } from '../../../src/catalog/search/language/parse.ts'
import { type Node, type Pattern, termsOf, type Wanted } from '../../../src/catalog/search/language/query.ts'
import { searchFields, searchHas, searchMarks, searchOrders, searchSigns } from '../../../src/lib/search-language.ts'

/** A query as it was read, in one line: `any(…)`, `all(…)`, `not(…)` and terms. */
const say = (node: Node): string => {
  if (node.op === 'term') return sayWanted(node.wanted)
  if (node.op === 'not') return `not(${say(node.of)})`
  return `${node.op === 'or' ? 'any' : 'all'}(${node.of.map(say).join(' ')})`
}
const sayPattern = ({ any, isWhole }: Pattern) =>
  `${isWhole ? '!' : ''}${any.map((words) => words.map(({ word, isBeginning }) => word + (isBeginning ? '*' : '')).join('+')).join('|')}`
const sayRange = ({ from, to, except }: { from?: number; to?: number; except?: number }) =>
  except === undefined ? `${from ?? ''}..${to ?? ''}` : `!${except}`
const sayWanted = (wanted: Wanted): string => {
  switch (wanted.kind) {
    case 'words':
      return `${wanted.field ? `${wanted.field}:` : ''}${sayPattern(wanted.pattern)}${wanted.years ? `~${sayPattern(wanted.years)}` : ''}${wanted.mark ? `~${wanted.mark}` : ''}`
    case 'name':
      return `name:${sayPattern(wanted.pattern)}`
    case 'years':
      return `years:${sayRange(wanted.range)}`
    case 'shortYear':
      return `'${wanted.digits}`
    case 'number':
      return `#${wanted.spellings.join('|')}`
    case 'numbers':
      return `#${wanted.bounds.map(({ comparison, number }) => `${comparison}${number}`).join('&')}`
    case 'serial':
      return `/${sayRange(wanted.range)}`
    case 'mark':
      return `is:${wanted.mark}`
    case 'has':
      return `has:${wanted.has}`
    case 'code':
      return `code:${wanted.code}`
    case 'setKind':
      return `kind:${wanted.kinds.join('|')}`
    case 'text':
      return `${wanted.field}:${sayPattern(wanted.pattern)}`
    case 'identifier':
      return `id:${wanted.source ?? ''}:${wanted.value}`
    case 'label':
      return wanted.label
  }
}
const read = (q: string) => {
  const { node, faults } = parseQuery(q)
  return node ? say(node) : faults.map(({ at, detail }) => `${at} ${detail}`).join('; ')
}

test.each([
  ['Jordan bulls', 'all(jordan bulls)'],
  ['jordan OR pippen', 'any(jordan pippen)'],
  ['fleer jordan OR topps pippen', 'any(all(fleer jordan) all(topps pippen))'],
  ['fleer (jordan OR pippen) 1986', 'all(fleer any(jordan pippen) 1986)'],
  ['fleer (jordan or pippen)', 'all(fleer any(jordan pippen))'],
  ['(jordan) or (pippen)', 'any(jordan pippen)'],
  ['trick or treat', 'all(trick or treat)'],
  ['jordan AND pippen', 'all(jordan pippen)'],
  ['jordan -(rodman OR pippen)', 'all(jordan not(any(rodman pippen)))'],
  ['jordan -"chicago bulls"', 'all(jordan not(chicago+bulls))'],
  ['griff* -is:rookie', 'all(griff* not(is:rookie))'],
  ['!"Frank Thomas"', '!frank+thomas'],
  ['player:"michael jordan" SET:update', 'all(player:michael+jordan set:update)'],
  ['jordan, michael', 'all(jordan michael)'],
])('operators: %p is %p', (q, meaning) => {
  expect(read(q)).toBe(meaning)
})

test.each([
  ['year:1986', 'year:1986'],
  ['year:89', "'89"],
  ["year:'89", "'89"],
  ['year:1986-87', 'year:1986+87'],
  ['year:1978-1980', 'years:1978..1980'],
  ['year:86-87', 'year:1986+87|2086+87|1886+87'],
  ['year:>=1990', 'years:1990..'],
  ['year>=1990', 'years:1990..'],
  ['year:1978..1980', 'years:1978..1980'],
  ['year:..1980', 'years:..1980'],
  ['year!=1989', 'years:!1989'],
  ['year<1989', 'years:..1988'],
  ['number:98T', '#98T'],
  ['no:5', '#5'],
  ['number:>=1', '#>=1'],
  ['number:1..20', '#>=1&<=20'],
  ['serial:<=25', '/..25'],
  ['serial:/25', '/25..25'],
  ['serial>25', '/26..'],
  ['maker:panini', 'manufacturer:panini'],
  ['sport:baseball', 'genre:baseball'],
  ['code:RC', 'code:rc'],
  ['kind:insert', 'kind:insert'],
  ['title:"league leaders"', 'title:league+leaders'],
  ['id:tcdb:1234', 'id:tcdb:1234'],
  ['is:1of1', 'is:1of1'],
  ['has:image', 'has:image'],
])('fields: %p is %p', (q, meaning) => {
  expect(read(q)).toBe(meaning)
})

test.each([
  ["'89 topps", "all('89 topps)"],
  ['topps 89', 'all(topps 89~1989|2089|1889)'],
  ['89', '89'],
  ['86-87 fleer', 'all(86+87~1986+87|2086+87|1886+87 fleer)'],
  ['1987 topps no. 320', 'all(1987 topps #320)'],
  ['topps nr 414', 'all(topps #414)'],
  ['topps # 414', 'all(topps #414)'],
  ['donruss #U14', 'all(donruss #U14|U-14)'],
  ['donruss 248/660', 'all(donruss #248|248/660)'],
  ['judge /25', 'all(judge /25..25)'],
  ['judge numbered to 10', 'all(judge /10..10)'],
  ['judge 1/1', 'all(judge /1..1)'],
  ['judge one of one', 'all(judge /1..1)'],
  ['the rookie cards of judge', 'all(rookie~rookie judge)'],
  ['cards', 'cards'],
  ['k grifey', 'any(all(k grifey) name:k*+grifey|kgrifey)'],
  ['mr october', 'any(all(mr october) name:reggie+jackson)'],
  ['big papi \u0301 /', 'any(all(big papi) name:david+ortiz)'],
  ['大谷翔平', 'any(大谷翔平 name:shohei+ohtani)'],
  ['大谷 翔平', 'any(all(大谷 翔平) name:shohei+ohtani)'],
  ['1986/87 fleer', 'all(1986+87 fleer)'],
  ['1986-1987 fleer', 'all(1986+87 fleer)'],
  ['fleer 86/87', 'all(fleer any(1986+87|2086+87|1886+87 #86|86/87))'],
  ['topps 1978-1980', 'all(topps years:1978..1980)'],
  ['topps 1978-80', 'all(topps years:1978..1980)'],
  ['topps 1980s', 'all(topps years:1980..1989)'],
  ["'90s topps", 'all(years:1990..1999 topps)'],
  ['topps 98 t', 'all(topps any(all(98~1998|2098|1898 t) #98t))'],
  ['fleer u 92', 'all(fleer any(all(u 92~1992|2092|1892) #u92|u-92))'],
  ['judge #/10', 'all(judge /10..10)'],
  ["judge #'d /10", 'all(judge /10..10)'],
  ['tony g', 'any(all(tony g) name:tony+g*)'],
  ['mc gwire', 'any(all(mc gwire) name:mcgwire)'],
  ['rose and bench', 'all(rose bench)'],
  ['all star schmidt', 'all(all+star schmidt)'],
  ['topps series 1', 'all(topps series+1)'],
  ['soto game used', 'all(soto game+used~relic)'],
  ['griffey rokie', 'all(griffey rokie~rookie)'],
  ['paul o´neill', 'all(paul oneill)'],
  ['“upper deck” 1986–87', 'all(upper+deck 1986+87)'],
])('what people type: %p is %p', (q, meaning) => {
  expect(read(q)).toBe(meaning)
})

test('every field, mark, order and sign of the language is read as its example shows', () => {
  const examples = [
    ...Object.values(searchFields).map(({ example }) => example),
    ...searchSigns.map(({ example }) => example),
    ...Object.keys(searchMarks).map((mark) => `is:${mark}`),
    ...Object.keys(searchHas).map((has) => `has:${has}`),
    ...Object.keys(searchOrders).map((order) => `jordan order:${order}`),
  ]
  for (const q of examples) expect([q, parseQuery(q).faults]).toEqual([q, []])
  expect(parseQuery('jordan order:-year').order).toBe('-year')
})

test.each([
  ['', [0]],
  ['   ', [0]],
  ['& !', [0]],
  ['-jordan', [0]],
  ['-a -b', [0]],
  ['-(a OR b)', [0]],
  ['jordan -', [7]],
  ['jordan --bulls -- ""', [7, 15]],
  ['#', [0]],
  ['a #', [2]],
  ['zork:1', [0]],
  ['ok zork:1 blah:"two words" fine', [3, 10]],
  ['player:', [0]],
  ['player: jordan', [0]],
  ['player:""', [0]],
  ['player>jordan', [0]],
  ['jordan "chicago bulls', [7]],
  ['serial:many', [0]],
  ['serial:<=1000000000', [0]],
  ['serial:=>5', [0]],
  ['year>=89', [0]],
  ['year:1990..1980', [0]],
  ['topps year:abc', [6]],
  ['year:198', [0]],
  ['year:1989,1990', [0]],
  ['year:1980-1978', [0]],
  ['year:"the eighties"', [0]],
  ['number:', [0]],
  ['id:tcdb:', [0]],
  ['griffey id:"tcdb: "', [8]],
  ['id:tcdb:"12 34"', [0]],
  ['number:>>5', [0]],
  ['player:==griffey', [0]],
  ['number:20..3', [0]],
  ['year:-1986', [0]],
  ['is:good', [0]],
  ['is:', [0]],
  ['kind:shiny', [0]],
  ['order:size', [0]],
  ['order:year', [0]],
  ['a order:year order:name', [13]],
  ['a (order:year b)', [3]],
  ['jordan OR', [7]],
  ['OR jordan', [0]],
  ['OR', [0]],
  ['OR OR', [0, 3]],
  ['jordan (OR)', [8]],
  ['a OR OR b', [2]],
  ['(jordan', [0]],
  ['jordan)', [6]],
  ['a ()', [2]],
  ['jordan NOT bulls', [7]],
  ['/jor.*an/', [0]],
  ['name:/jor.*/', [0]],
  ['gr*ff', [0]],
  // These years are no season.
  ['year>1986-88', [0]],
  // Signs that stand where they say nothing are no words, and are not passed over.
  ['griffey !bonds', [8]],
  ['griffey !(bonds OR jordan)', [8]],
  ['griffey year > 1989', [13]],
  ['griffey >=1989', [8]],
  ['player :griffey', [7]],
  ['griffey 1986..1990', [8]],
  ['griffey|bonds', [0]],
  // A code point outside the basic plane counts once.
  ['👍👍 é zork:1', [5]],
  ['🏀 is:good', [2]],
])('%p is at fault at %p', (q, places) => {
  const { faults, node } = parseQuery(q)
  expect([faults.map(({ at }) => at), node]).toEqual([places, undefined])
})

test.each([
  ['yaer:1989 griffey', 'year:1989 griffey'],
  ['griffey is:rooky', 'griffey is:rookie'],
  ['griffey order:-yaer', 'griffey order:-year'],
  ['player>griffey', 'player:griffey'],
  ['griffey team:-mariners', 'griffey -team:mariners'],
  ['(griffey OR bonds 1989', '(griffey OR bonds 1989)'],
  ['griffey) 1989', 'griffey 1989'],
  ['griffey NOT rookie', 'griffey -rookie'],
  ['"upper deck', '"upper deck"'],
  ['gr*ff', 'grff'],
  ['griffey 1986..1990', 'griffey year:1986..1990'],
  ['griffey|bonds 1989', 'griffey OR bonds 1989'],
])('%p was probably meant as %p', (q, suggestion) => {
  expect(parseQuery(q).faults.map((fault) => fault.suggestion)).toEqual([suggestion])
  expect(parseQuery(suggestion).faults).toEqual([])
})

test.each([
  ['year>1986-87', 'year>1986'],
  ['year!=1999-00', 'year!=1999'],
  ['year:1986-87..1989/90', 'year:1986..1989'],
  ['year<=1986-1987', 'year<=1986'],
])('%p is %p: a season counts by its first year', (season, year) => {
  const wantedOf = (q: string) => {
    const { faults, node } = parseQuery(q)
    return [faults, node?.op === 'term' && node.wanted]
  }
  expect(wantedOf(season)).toEqual(wantedOf(year))
  expect(wantedOf(season)).toEqual([[], { kind: 'years', range: expect.any(Object) }])
})

test('a query has at most 512 characters and 20 words', () => {
  expect(parseQuery(`${'👍'.repeat(511)}a`).faults).toEqual([])
  expect(parseQuery('a'.repeat(513)).faults).toHaveLength(1)
  expect(parseQuery('a '.repeat(20)).faults).toEqual([])
  expect(parseQuery('a '.repeat(25)).faults.map(({ at }) => at)).toEqual([40])
  expect(parseQuery(`${'a OR '.repeat(25)}a`).faults.map(({ at }) => at)).toEqual([100])
})

test('nothing that is typed breaks it', () => {
  const signs = [
    ...[
      '"',
      '-',
      '#',
      '/',
      ':',
      'is:',
      'player:',
      'serial:<',
      'year>=',
      '..',
      "'",
      '\\',
      '%',
      '~',
      '!',
      '(',
      ')',
      '(',
      ')',
    ],
    ...[
      ' ',
      ' ',
      '\n',
      'OR',
      ' OR ',
      'or',
      '*',
      'a',
      '89',
      'no.',
      'one of one',
      'numbered to',
      'é',
      '🏀',
      '\u0301',
      '𝕁',
    ],
  ]
  let seed = 1
  const next = () => {
    seed = (seed * 48271) % 2147483647
    return signs[seed % signs.length]
  }
  for (let run = 0; run < 2000; run++) {
    const q = Array.from({ length: run % 23 }, next).join('')
    const { node, faults } = parseQuery(q)
    expect((node ? termsOf(node).length : 0) + faults.length).toBeGreaterThan(0)
    for (const { at } of faults) expect(at).toBeLessThanOrEqual([...q].length)
  }
})
