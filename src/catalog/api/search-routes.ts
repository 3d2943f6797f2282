import { Type } from '@sinclair/typebox'
import type { Route } from '../../http/route.ts'
import { cursorPageType } from '../../jsonapi/cursor-profile.ts'
import { cursorDocument } from '../../jsonapi/cursor-schema.ts'
import { oneOf, text, uuid } from '../../jsonapi/fields.ts'
import { resourceSchema } from '../../jsonapi/schema.ts'
import { sayNumber, sizes } from '../../limits.ts'
import { resourceInV2 } from '../model/v2.ts'
import { autocomplete, offeredMost } from '../search/autocomplete.ts'
import { searchedTypes } from '../search/order.ts'
import { queryLimits } from '../search/parse.ts'
import { search, searchShape, typesInSearch } from '../search/search.ts'
import { cursorPageExample, exampleId } from './documented.ts'
import { describedQuery } from './query-v2.ts'

const scored = () => Type.Number({ minimum: 0, maximum: 1, description: 'How well it matches.' })

/** A resource object with its score. */
const matched = (type: string) => {
  const { properties } = resourceSchema(resourceInV2(type))
  const meta = Type.Object({ score: scored(), page: Type.Object({ cursor: Type.String() }) })
  return Type.Object({ ...properties, meta })
}

const found = () => Type.Union(searchedTypes.map(matched), { $id: 'SearchHit' })

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
export const searchRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v2/search',
    operationId: 'search',
    tag: 'Search',
    access: 'catalog',
    scope: 'read',
    summary: 'Search cards, sets, players and teams',
    description: `Finds words in names, ignoring case and accents: exact matches first, then near misses. All terms must match: \`"a phrase"\`, \`#57\` a number, \`/25\` serial-numbered to 25, codes such as \`RC\` and \`AU\`, a year or season (\`1986\`, \`1986-87\`), \`player:\` \`team:\` \`set:\` \`brand:\` \`year:\` \`genre:\` \`number:\` with a word or a phrase, \`serial:<=25\`, \`is:rookie\` \`is:auto\` \`is:parallel\` \`is:insert\`. \`-\` before a term excludes it. Best match first, with its score in \`meta.score\`. At most ${sayNumber(sizes.ranked.most)} candidates are ranked; if there are more, the total is an estimate.`,
    query: {
      q: {
        schema: Type.String({ minLength: 1, maxLength: queryLimits.characters }),
        description: 'The query. The detail of a 400 gives the position of the invalid term, in code points from 0.',
        required: true,
        example: 'jordan #57 is:rookie',
      },
      'filter[type]': {
        schema: Type.Array(oneOf([...searchedTypes])),
        description: 'Only records of these types, separated by commas.',
        example: ['cards', 'sets'],
      },
      ...describedQuery(undefined, searchShape, typesInSearch),
    },
    answers: {
      200: {
        description: 'A page of matches, best first.',
        schema: cursorDocument('SearchHit', found()),
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
    summary: 'Complete the name of a player, a team or a set',
    description: `Up to ${offeredMost} names that contain the words of the text; the last word may be incomplete. Ignores case and accents, and tolerates typos if nothing else matches. The exact name comes first, then names that start with the text, then those with more cards.`,
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
        description: 'The names, best first.',
        schema: Type.Object(
          {
            data: Type.Array(Type.Object({ type: oneOf(['players', 'teams', 'sets']), id: uuid(), name: text(511) }), {
              maxItems: offeredMost,
            }),
          },
          { $id: 'Completions' },
        ),
        mediaType: 'application/json',
        example: { data: [{ type: 'players', id: exampleId('players'), name: 'Michael Jordan' }] },
      },
    },
    refusals: [400],
    handle: autocomplete,
  },
]
