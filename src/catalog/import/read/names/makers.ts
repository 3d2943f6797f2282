/** How release names start, with the brand and its manufacturers, each from its first year. */
const brands: [product: string, brand: string, makers: [since: number, name: string][]][] = [
  ...[
    'Topps Chrome',
    'Topps Heritage',
    'Topps Archives',
    'Topps Tribute',
    'Topps Finest',
    'Topps Holiday',
    'Topps Update',
  ].map(topps),
  ...[
    'Topps Allen & Ginter X',
    'Topps Allen & Ginter',
    'Topps Stadium Club',
    'Topps Gypsy Queen',
    'Topps Big',
    'Topps',
  ].map(topps),
  ...['Bowman Chrome', 'Bowman Draft', 'Bowman Sterling', 'Bowman Platinum', 'Bowman', 'Stadium Club', 'Finest'].map(
    topps,
  ),
  ...['Allen & Ginter', 'Gypsy Queen', 'Heritage'].map(topps),
  ...['Bowman Best', 'Bowmans Best', "Bowman's Best"].map(named("Bowman's Best", [[0, 'Topps']])),
  ...['Donruss Optic', 'Donruss Elite', 'Donruss', 'Leaf', 'Studio', 'Triple Play'].map(
    by([0, 'Donruss'], [2009, 'Panini']),
  ),
  ...['Score', 'Pinnacle', 'Select', 'Sportflics'].map(by([0, 'Pinnacle Brands'], [2009, 'Panini'])),
  ...['Fleer', 'Flair'].map(by([0, 'Fleer'], [2005, 'Upper Deck'])),
  ...['Fleer Ultra', 'Ultra'].map(
    named('Ultra', [
      [0, 'Fleer'],
      [2005, 'Upper Deck'],
    ]),
  ),
  ...['Upper Deck', 'SP Authentic', 'SPx', 'SP', 'MVP', 'Black Diamond', 'The Cup'].map(by([0, 'Upper Deck'])),
  ...["Collector's Choice", 'Collectors Choice'].map(named("Collector's Choice", [[0, 'Upper Deck']])),
  ...['Hoops', 'SkyBox', 'Skybox', 'Metal'].map(by([0, 'SkyBox'], [2009, 'Panini'])),
  ...['O-Pee-Chee Premier', 'O-Pee-Chee'].map(by([0, 'O-Pee-Chee'], [2005, 'Upper Deck'])),
  ...['Panini Prizm', 'Panini Select', 'Panini Flawless', 'Panini Chronicles', 'Panini National Treasures'].map(
    by([0, 'Panini']),
  ),
  ...['Panini Immaculate Collection', 'Panini Three and Two', 'Panini Boys of Summer'].map(by([0, 'Panini'])),
  ...['Panini Prospect Edition', 'Panini Mosaic', 'Panini Contenders', 'Panini Elite', 'Panini'].map(by([0, 'Panini'])),
  ...['Prizm', 'Mosaic', 'Immaculate', 'National Treasures', 'Contenders'].map(by([0, 'Panini'])),
  ...['Pacific', 'Playoff', 'Classic', 'Star', 'Pro Set', 'Parkhurst', 'Goudey', 'Kelloggs', "Kellogg's"].map(self),
]

function topps(product: string): (typeof brands)[number] {
  return [product, product, [[0, 'Topps']]]
}
function by(...makers: [number, string][]) {
  return (product: string): (typeof brands)[number] => [product, product, makers]
}
function named(brand: string, makers: [number, string][]) {
  return (product: string): (typeof brands)[number] => [product, brand, makers]
}
function self(product: string): (typeof brands)[number] {
  return [product, product, [[0, product]]]
}

const longestFirst = brands.toSorted(([a], [b]) => b.length - a.length)

/** A product's brand and manufacturer in a year (`Topps Traded` is Topps, by Topps). Null if it isn't in the table. */
export const findMaker = (product: string, year: string | null): { brand: string; manufacturer: string } | null => {
  const key = product.toLowerCase()
  const row = longestFirst.find(([start]) => key === start.toLowerCase() || key.startsWith(`${start.toLowerCase()} `))
  if (!row) return null
  const since = Number(year?.slice(0, 4) ?? 0)
  const maker = row[2].findLast(([from]) => since >= from) ?? row[2][0]
  return maker ? { brand: row[1], manufacturer: maker[1] } : null
}
