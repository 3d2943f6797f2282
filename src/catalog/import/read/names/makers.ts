import makers from '../../../../vocabulary/makers.csv' with { type: 'text' }
import { rowsOf } from '../../../../vocabulary/rows.ts'

type Product = { start: string; brand: string; makers: { since: number; name: string }[] }

const products = new Map<string, Product>()
for (const [product = '', brand = '', since = '', name = ''] of rowsOf(makers))
  products
    .getOrInsertComputed(product, () => ({ start: product.toLowerCase(), brand: brand || product, makers: [] }))
    .makers.push({ since: Number(since), name })

const longestFirst = [...products.values()].toSorted((a, b) => b.start.length - a.start.length)

/** A product's brand and manufacturer in a year (`Topps Traded` is Topps, by Topps). Null if it isn't in the table. */
export const findMaker = (product: string, year: string | null): { brand: string; manufacturer: string } | null => {
  const key = product.toLowerCase()
  const found = longestFirst.find(({ start }) => key === start || key.startsWith(`${start} `))
  if (!found) return null
  const since = Number(year?.slice(0, 4) ?? 0)
  const maker = found.makers.findLast((one) => since >= one.since) ?? found.makers[0]
  return maker ? { brand: found.brand, manufacturer: maker.name } : null
}
