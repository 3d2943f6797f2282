import {
  searchComparisons,
  searchFields,
  searchHas,
  searchMarks,
  searchOrders,
  searchSigns,
} from '../../lib/search-language.ts'
import type { Content, SyntaxContent } from '../browser/catalog/content.ts'

type Named = Record<string, { about: string; example?: string }>

const linesOf = (named: Named, field?: string) =>
  Object.entries(named).map(([name, { about, example }]) => {
    const written = field ? `${field}:${name}` : `${name}:`
    return { written, about, example: example ?? written }
  })

const parts: SyntaxContent['parts'] = [
  {
    title: 'Words and signs',
    lines: searchSigns.map(({ sign, about, example }) => ({ written: sign, about, example })),
  },
  { title: 'Fields', lines: linesOf(searchFields) },
  { title: 'Marks', lines: linesOf(searchMarks, 'is') },
  { title: 'What a card has', lines: linesOf(searchHas, 'has') },
  {
    title: 'Orders',
    lines: linesOf(searchOrders, 'order').map((line) => ({ ...line, example: `jordan ${line.written}` })),
  },
]

const compared = Object.entries(searchFields).flatMap(([name, { takes }]) => (takes === 'order' ? [name] : []))

/** The search syntax, from the same tables the parser reads. */
export const syntaxContent = async (): Promise<Content<SyntaxContent>> => ({
  head: {
    title: 'How to search',
    description: 'The words, fields and signs you can search trading cards with, each with an example.',
    path: '/search/syntax',
  },
  value: { parts, compared, comparisons: [...searchComparisons] },
})
