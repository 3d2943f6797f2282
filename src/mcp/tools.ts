import { type TSchema, Type } from '@sinclair/typebox'
import { countNames } from '../catalog/api/stats.ts'
import { offeredMost } from '../catalog/search/autocomplete.ts'
import { queryLimits } from '../catalog/search/language/parse.ts'
import { searchedTypes } from '../catalog/search/rank/order.ts'
import { orderNames } from '../catalog/search/search-query.ts'
import { integer, oneOf } from '../jsonapi/fields.ts'
import { searchFields, searchMarks } from '../lib/search-language.ts'
import { sizes } from '../limits.ts'
import { cardIncludes, foundCard, getCard, showCards, wholeCard } from './card.ts'
import { type Many, pageAddress, pageQuery, placeOf, type Reader } from './reader.ts'
import { cursor, described, idOf, limit, only, place, textOrNull } from './schema.ts'
import { cardPage, getSet, listSetCards, wholeSet } from './set.ts'
import { getPlayer, wholePlayer } from './subject.ts'

/** The arguments of a tool, after they fit its schema. */
type Given = { id: string; query: string; text: string; limit?: number; cursor?: string; sort?: string }

/** A tool: what it takes, what it gives, and how. */
type Tool = {
  title: string
  description: string
  takes: TSchema
  gives: TSchema
  run: (reader: Reader, given: Given) => Promise<object>
}

const cards = { usual: 25, most: sizes.page.most }

/** The tools by name. All of them only read. */
export const tools: Record<string, Tool> = {
  search_cards: {
    title: 'Search cards',
    description: `Finds trading cards the way collectors type them: words of players, teams and sets, years (1986, '89), numbers (#57), print runs (/25, 1/1), codes such as RC. Fields narrow it: ${Object.values(
      searchFields,
    )
      .map(({ example }) => example)
      .join(
        ', ',
      )}; is: takes ${Object.keys(searchMarks).join(', ')}. Terms must all match; OR, parentheses, - and "a phrase" combine them. Best match first.`,
    takes: only({
      query: Type.String({ minLength: 1, maxLength: queryLimits.characters, description: 'jordan 1986 #57 is:rookie' }),
      sort: Type.Optional({ ...oneOf(orderNames), description: 'The order. `relevance` by default.' }),
      limit: limit(10, 50),
      cursor: cursor(),
    }),
    gives: only({
      ...place,
      suggestion: {
        ...textOrNull(),
        description: 'The query that was answered instead, since no card has both the team and the player.',
      },
      cards: Type.Array(foundCard()),
    }),
    run: async (reader, { query, sort, limit = 10, cursor }) => {
      const page = await reader.read<Many>('/v2/search', {
        q: query,
        'filter[type]': 'cards',
        include: cardIncludes,
        ...(sort ? { sort } : {}),
        ...pageQuery(limit, cursor),
      })
      const shown = await showCards(reader, page)
      return {
        ...placeOf(page),
        suggestion: page.meta.suggestion ?? null,
        cards: shown.map((card, at) => ({ ...card, score: page.data[at]?.meta?.score ?? 0 })),
      }
    },
  },
  get_card: {
    title: 'Get a card',
    description:
      'A card with its set, the players and teams on it, codes, print run, notes, images and ids in other catalogs.',
    takes: only({ id: idOf('card') }),
    gives: wholeCard(),
    run: (reader, { id }) => getCard(reader, id),
  },
  get_set: {
    title: 'Get a set',
    description:
      'A set with its year, brand, manufacturer and genre, how many cards it has, and the inserts, parallels and other sets right below it.',
    takes: only({ id: idOf('set'), cursor: cursor() }),
    gives: wholeSet(),
    run: (reader, { id, cursor }) => getSet(reader, id, cursor),
  },
  list_set_cards: {
    title: 'List the cards of a set',
    description: 'A page of the checklist of a set, in order. Sets below it have their own lists.',
    takes: only({ id: idOf('set'), limit: limit(cards.usual, cards.most), cursor: cursor() }),
    gives: cardPage(),
    run: (reader, { id, limit = cards.usual, cursor }) => listSetCards(reader, id, limit, cursor),
  },
  get_player: {
    title: 'Get a player',
    description:
      'A player with teams, other names, and how many cards there are in each year. To list the cards, search for player:"the name".',
    takes: only({ id: idOf('player') }),
    gives: wholePlayer(),
    run: (reader, { id }) => getPlayer(reader, id),
  },
  autocomplete: {
    title: 'Find names',
    description: `Up to ${offeredMost} players, teams and sets whose names have the words of a text, of which the last may be incomplete: the way to an id.`,
    takes: only({ text: Type.String({ minLength: 1, maxLength: queryLimits.characters, description: 'michael jor' }) }),
    gives: only({
      completions: Type.Array(
        only({
          type: oneOf([...searchedTypes]),
          id: Type.String(),
          name: Type.String(),
          context: { ...textOrNull(), description: 'Where a set or a card belongs.' },
          url: Type.String(),
        }),
      ),
    }),
    run: async (reader, { text }) => {
      const { data } = await reader.read<{ data: Offer[] }>('/v2/autocomplete', { q: text })
      return {
        completions: data.map(({ type, id, name, context }) => ({
          type,
          id,
          name,
          context,
          url: pageAddress(reader, type, id),
        })),
      }
    },
  },
  catalog_stats: {
    title: 'Count the catalog',
    description: 'How many cards, sets, players, teams and so on are published.',
    takes: only({}),
    gives: only({
      ...Object.fromEntries(countNames.map((name) => [name, integer(0)])),
      url: described(Type.String(), 'The start page.'),
    }),
    run: async (reader) => {
      const counts = await reader.read<Record<string, number>>('/v1/stats/counts')
      return {
        ...Object.fromEntries(countNames.map((name) => [name, counts[name]])),
        url: reader.context.config.baseUrl,
      }
    },
  },
}

type Offer = { type: string; id: string; name: string; context: string | null }
