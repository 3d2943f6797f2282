import { Type } from '@sinclair/typebox'
import { fromReplicas, type Route } from '../../http/route.ts'
import { cursorPageType } from '../../jsonapi/cursor-profile.ts'
import { cursorDocument } from '../../jsonapi/cursor-schema.ts'
import { integer, nullable, oneOf, text, uuid } from '../../jsonapi/fields.ts'
import { resourceSchema } from '../../jsonapi/schema.ts'
import { searchFields, searchHas, searchMarks } from '../../lib/search-language.ts'
import { sayNumber, sizes } from '../../limits.ts'
import { setKindIds } from '../model/counts.ts'
import { resourceInV2 } from '../model/v2.ts'
import { autocomplete, offeredMost } from '../search/autocomplete.ts'
import { queryLimits } from '../search/language/parse.ts'
import { facetNames } from '../search/rank/facets.ts'
import { searchedTypes } from '../search/rank/order.ts'
import { search } from '../search/search.ts'
import { orderNames, searchShape, typesInSearch } from '../search/search-query.ts'
import { cursorPageExample, exampleId } from './documented.ts'
import { parametersInV2 } from './query-v2.ts'

/** Longer than any of the names that it is made of. */
const composed = () => text(100_000)

const scored = () => Type.Number({ minimum: 0, maximum: 1, description: 'How well it matches.' })

/** A resource object with its score. */
const matched = (type: string) => {
  const { properties } = resourceSchema(resourceInV2(type))
  const meta = Type.Object({
    score: scored(),
    explanation: Type.Optional(
      Type.Record(Type.String(), Type.Number(), { description: 'The parts that add up to the score.' }),
    ),
    page: Type.Object({ cursor: Type.String() }),
  })
  return Type.Object({ ...properties, meta })
}

const found = () => Type.Union(searchedTypes.map(matched), { $id: 'SearchHit' })

const facetValue = () => Type.Object({ id: text(511), value: text(511), count: integer(0) }, { $id: 'FacetValue' })

const facetsMeta = () => ({
  facets: Type.Optional(
    Type.Object(Object.fromEntries(facetNames.map((name) => [name, Type.Optional(Type.Array(facetValue()))]))),
  ),
  facets_are_estimates: Type.Optional(Type.Boolean()),
  suggestion: Type.Optional(
    Type.String({
      description:
        'The query that was answered instead: without the team, because no card has both the team and the player.',
    }),
  ),
})

const example = () => {
  const page = cursorPageExample(resourceInV2('cards'), '/v2/search')
  const q = '?q=jordan%20%2357%20is%3Arookie'
  const at = (link: string) => (link.includes('?') ? link.replace('?', `${q}&`) : `${link}${q}`)
  const { self, first, last } = page.links
  return {
    ...page,
    links: { ...page.links, self: at(self), first: at(first), last: at(last) },
    data: page.data.map((one) => ({ ...one, meta: { score: 0.8, ...one.meta } })),
  }
}

/** Search over cards, sets, players and teams. */
export const searchRoutes: Route[] = fromReplicas([
  {
    method: 'GET',
    path: '/v2/search',
    operationId: 'search',
    tag: 'Search',
    access: 'catalog',
    scope: 'read',
    summary: 'Search cards, sets, players and teams',
    description: `Finds what collectors type: words of names, ignoring case, accents and typos, nicknames, initials, years (\`1986\`, \`'89\`), numbers (\`#57\`, \`no. 57\`), print runs (\`/25\`, \`1/1\`), codes such as \`RC\`, and fields: ${Object.keys(
      searchFields,
    )
      .map((name) => `\`${name}:\``)
      .join(
        ' ',
      )}. Adjacent terms must all match; \`OR\`, parentheses and \`-\` combine them, \`"a phrase"\`, \`!"a whole name"\` and \`word*\` say how words are meant. Fields with an order can be compared (\`year>=1989\`, \`serial:<=25\`, \`year:1986..1990\`); \`is:\` accepts ${Object.keys(searchMarks).join(', ')}; \`has:\` ${Object.keys(searchHas).join(', ')}; \`order:\` what \`sort\` accepts. Best match first, with its score in \`meta.score\`. At most ${sayNumber(sizes.ranked.most)} candidates are ranked; if there are more, the total is an estimate.`,
    query: {
      q: {
        schema: Type.String({ minLength: 1, maxLength: queryLimits.characters }),
        description:
          'The query. The detail of a 400 gives the position of the invalid term, in code points starting at 0. `meta.suggestion` is the query as it was probably meant.',
        required: true,
        example: 'jordan #57 is:rookie',
      },
      'filter[type]': {
        schema: Type.Array(oneOf([...searchedTypes])),
        description: 'Only records of these types, separated by commas.',
        example: ['cards', 'sets'],
      },
      ...Object.fromEntries(
        (['genre', 'year', 'brand', 'set'] as const).map((name) => [
          `filter[${name}]`,
          {
            schema: Type.Array(uuid()),
            description: `Only cards and sets of this ${name}, or of any in a list.`,
            example: [exampleId(`${name}s`)],
          },
        ]),
      ),
      'filter[kind]': {
        schema: Type.Array(oneOf(Object.keys(setKindIds))),
        description: 'Only sets of this kind and their cards, or of any in a list.',
        example: ['insert'],
      },
      sort: {
        schema: oneOf(orderNames),
        description: 'The order. The default is `relevance`. With any other, players and teams come last.',
        example: '-year',
      },
      facets: {
        schema: Type.Array(oneOf([...facetNames])),
        description: `What to count the matching cards by, in \`meta.facets\`: up to 20 values each, over at most ${sayNumber(sizes.ranked.most)} matches.`,
        example: ['brand', 'year'],
      },
      explain: {
        schema: Type.Boolean(),
        description: 'Whether each match has a `meta.explanation` of its score.',
        example: true,
      },
      ...parametersInV2(undefined, searchShape, typesInSearch),
    },
    answers: {
      200: {
        description: 'A page of matches, best first.',
        schema: cursorDocument('SearchHit', found(), facetsMeta()),
        mediaType: cursorPageType,
        example: example(),
      },
    },
    refusals: [400],
    handle: search,
  },
  {
    method: 'GET',
    path: '/v2/autocomplete',
    operationId: 'autocomplete',
    tag: 'Search',
    access: 'catalog',
    scope: 'read',
    flat: true,
    summary: 'Complete a query as it is typed',
    description: `Up to ${offeredMost} players, teams and sets whose names contain the words of the text. The last word may be incomplete. The exact name comes first, then names that start with the text, then those with more cards. If no name has all the words, the ones before the last narrow the result as in a search: first come players and teams on the cards found, then sets and cards. Ignores case and accents, and tolerates typos if nothing else matches. \`context\` says where a set or card belongs.`,
    query: {
      q: {
        schema: Type.String({ maxLength: queryLimits.characters }),
        description: 'The text typed so far.',
        required: true,
        example: 'michael jor',
      },
    },
    answers: {
      200: {
        description: 'The completions, best first.',
        schema: Type.Object(
          {
            data: Type.Array(
              Type.Object({
                type: oneOf([...searchedTypes]),
                id: uuid(),
                name: composed(),
                context: nullable(composed()),
              }),
              { maxItems: offeredMost },
            ),
          },
          { $id: 'Completions' },
        ),
        example: { data: [{ type: 'players', id: exampleId('players'), name: 'Michael Jordan', context: null }] },
      },
    },
    refusals: [400],
    handle: autocomplete,
  },
])
