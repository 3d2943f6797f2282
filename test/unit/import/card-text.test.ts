import { describe, expect, test } from 'bun:test'
import { type NameContext, readCardText } from '../../../src/catalog/import/read/names/card-text.ts'
import { inShort } from './items.ts'

const known = new Set(['Mike Piazza', 'Hank Aaron', 'Pete Rose'])
const context = (more: Partial<NameContext> = {}): NameContext => ({
  genre: 'Baseball',
  setName: 'Base Set',
  isCode: (word) => ['RC', 'AS', 'CL', 'TBC'].includes(word),
  isKnown: (name) => known.has(name),
  ...more,
})

/** What a name is read as: its entries, its title, the codes that stood in it, in one line. */
const read = (name: string, more: Partial<NameContext> = {}) => {
  const text = readCardText(name, context(more))
  return [inShort(text).join(' / ') || '-', text.title ?? '-', ...text.attributes].join(' | ')
}

describe('a name of one person is a player', () => {
  test.each([
    'Michael Jordan',
    'Kareem Abdul-Jabbar',
    'World B. Free',
    'Joe Barry Carroll',
    'Elly De La Cruz',
    'José Ramírez',
    "Ke'Bryan Hayes",
    'Dennis "Oil Can" Boyd',
    "Dennis 'Oil Can' Boyd",
    'J.T. Realmuto',
    'CC Sabathia',
    'Vladimir Guerrero Jr.',
    'Michael Harris II',
    'Jazz Chisholm Jr.',
    'Magic Johnson',
    'Homer Bailey',
    'Chan Ho Park',
    'Champ Summers',
    'Win Remmerswaal',
    'King Hussein of Jordan',
    'Ichiro',
    'NOLAN RYAN',
  ])('%s', (name) => expect(read(name)).toBe(`${name} | -`))
})

describe('a name of nobody is a title', () => {
  test.each([
    'Checklist',
    'Checklist: 1-132',
    'Checklist: Tigers / Red Sox',
    'Checklist 4 of 6: Braves / Special Cards',
    'Giants Leaders / Checklist',
    'Diamond Kings Checklist',
    '1980 World Series',
    "'81 Home Run Leaders",
    'NL Active Career Save Leaders',
    'Royals Future Stars',
    'Diamond Kings',
    'Mets / Cardinals',
    'Red Sox vs Blue Jays',
    'Super Bowl XV',
    '1979-80 Stanley Cup Finals',
    'Header Card',
    'Going, Going, Gone',
    "Sax's Speed Wins Game 4",
    'Dr. Dirt and Mr. Clean',
    'The San Diego Chicken',
    'Snowman',
  ])('%s', (name) => expect(read(name)).toBe(`- | ${name}`))

  test('in a set that shows no people, whatever it looks like', () => {
    expect(read('Mount Everest', { setName: 'World’s Tallest Mountains' })).toBe('- | Mount Everest')
    expect(read('Costa Rica', { setName: 'Flags of the World Mini' })).toBe('- | Costa Rica')
    expect(read('Atlanta Braves', { setName: 'Info Cards' })).toBe('@ Atlanta Braves | -')
  })
})

describe('several names', () => {
  test.each([
    ['Ken Griffey Jr. / Barry Bonds', 'Ken Griffey Jr. / Barry Bonds | -'],
    ['Sandy Koufax/Clayton Kershaw', 'Sandy Koufax / Clayton Kershaw | -'],
    ['Jim Rice/Jim Rice', 'Jim Rice / Jim Rice | -'],
    ['Houston Astros / Bill Virdon', '@ Houston Astros / Bill Virdon | -'],
    ['Baltimore Orioles/ Earl Weaver', '@ Baltimore Orioles / Earl Weaver | -'],
    ['Ron LeFlore / Rodney', '- | Ron LeFlore / Rodney'],
    ['4/10/93: ML Debut', '- | 4/10/93: ML Debut'],
  ])('%s', (name, expected) => expect(read(name)).toBe(expected))
})

describe('a title with those to whom it belongs', () => {
  test.each([
    ['1978 RBI Leaders (Jim Rice / George Foster)', 'Jim Rice / George Foster | 1978 RBI Leaders'],
    ['Bronx Bombers (Alex Rodriguez / Gary Sheffield)', 'Alex Rodriguez / Gary Sheffield | Bronx Bombers'],
    ['Black & Decker (Bud Black)', 'Bud Black | Black & Decker'],
    ['Living Legends: Gaylord Perry / Rollie Fingers', 'Gaylord Perry / Rollie Fingers | Living Legends'],
    ['Checklist: 27-130 / Robin Yount', 'Robin Yount | Checklist: 27-130'],
    ['Checklist (Rod Carew)', 'Rod Carew | Checklist'],
    ['Checklist 1 of 6 (Atlanta Braves / Boston Red Sox)', '@ Atlanta Braves / @ Boston Red Sox | Checklist 1 of 6'],
    ['Pete & Re-Pete (Pete Rose & Son)', '- | Pete & Re-Pete (Pete Rose & Son)'],
  ])('%s', (name, expected) => expect(read(name)).toBe(expected))
})

describe('a player with more', () => {
  test.each([
    ['Adley Rutschman (Baltimore Orioles)', 'Adley Rutschman @ Baltimore Orioles | -'],
    ['Lou Brock / Ron Santo (Chicago Cubs)', 'Lou Brock @ Chicago Cubs / Ron Santo @ Chicago Cubs | -'],
    [
      'Willie Mays / Mike Trout (San Francisco Giants / Los Angeles Angels)',
      'Willie Mays @ San Francisco Giants / Mike Trout @ Los Angeles Angels | -',
    ],
    ['Barry Bonds HR #178', 'Barry Bonds | HR #178'],
    ['Barry Bonds Game 130 Inning 5', 'Barry Bonds | Game 130 Inning 5'],
    ['Hank Aaron (1957 MVP)', 'Hank Aaron | 1957 MVP'],
    ['Luis Baez (OF)', 'Luis Baez | OF'],
    ['Mike Piazza: Dugout Dirt', 'Mike Piazza | Dugout Dirt'],
    ['Pete Rose: 4192!', 'Pete Rose | 4192!'],
    ['Ken Griffey, Jr. AS', 'Ken Griffey Jr. | - | AS'],
    ['Tom Seaver TBC', 'Tom Seaver | - | TBC'],
    ['Johnny Bench / Joe Morgan CL', 'Johnny Bench / Joe Morgan | - | CL'],
  ])('%s', (name, expected) => expect(read(name)).toBe(expected))
})

describe('a team', () => {
  test.each([
    ['Boston Red Sox', '@ Boston Red Sox | -'],
    ['2004 Anaheim Angels', '@ Anaheim Angels | 2004'],
    ['Pittsburgh Pirates Cap (Red)', '@ Pittsburgh Pirates | Cap (Red)'],
    ['Texas Rangers vs. Boston Red Sox', '@ Texas Rangers / @ Boston Red Sox | Texas Rangers vs. Boston Red Sox'],
  ])('%s', (name, expected) => expect(read(name)).toBe(expected))

  test('of another sport counts where the sport is unknown', () => {
    expect(read('Detroit Red Wings', { genre: null })).toBe('@ Detroit Red Wings | -')
    expect(read('Chicago Bulls', { genre: 'Basketball' })).toBe('@ Chicago Bulls | -')
  })
})

test('what cannot be decided is a title and says so', () => {
  expect(readCardText('Snowman', context()).rule).toBe('undecided')
  expect(readCardText('Aaron Judge / A Boogie Wit Da Hoodie', context()).rule).toBe('undecided')
})
