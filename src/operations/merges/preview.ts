import { Type } from '@sinclair/typebox'
import { previewMerge } from '../../catalog/curate/merge/preview.ts'
import { type MergedType, mergedTypes } from '../../catalog/curate/merge/record.ts'
import type { Context } from '../../context.ts'
import { type Call, flatForOperators, type Reply, type Route } from '../../http/route.ts'
import { integer, oneOf, uuid } from '../../jsonapi/fields.ts'
import { sizes } from '../../limits.ts'
import { idIn, idsIn, readAsked } from '../preview-query.ts'
import { path } from './document.ts'

const side = Type.Object({
  id: uuid(),
  name: Type.String(),
  aliases: Type.Array(Type.String()),
  cards_count: integer(0),
})

const schema = Type.Object(
  {
    into: side,
    from: Type.Array(side),
    moves: Type.Object(
      {
        cards: integer(0),
        sets: integer(0),
        player_teams: integer(0),
        attached: Type.Integer({ minimum: 0, description: 'Images, sources, attribute values and identifiers.' }),
      },
      { description: 'What would refer to the target instead.' },
    ),
    becomes_one: Type.Object({
      cards: Type.Integer({ minimum: 0, description: 'Cards of merged sets that another of the sets also has.' }),
      player_teams: Type.Integer({ minimum: 0, description: 'Player-teams that would equal another one.' }),
      entries: Type.Integer({ minimum: 0, description: 'Cards that name several of the records and would name one.' }),
    }),
    aliases: Type.Array(Type.String(), { description: 'Names that would become aliases of the target.' }),
  },
  { $id: 'MergePreview' },
)

const preview = async ({ db }: Context, { url }: Call): Promise<Reply> => {
  const body = await previewMerge(db, readOrder(url.searchParams))
  return { status: 200, body }
}

const readOrder = (search: URLSearchParams) => {
  let objectType: MergedType = 'players'
  let fromIds: string[] = []
  let intoId = ''
  const required = ['object_type', 'from_ids', 'into_id']
  readAsked(search, { lists: ['from_ids'], required }, (name, values, refuse) => {
    if (name === 'object_type') {
      const known = mergedTypes.find((one) => one === values[0])
      if (known) objectType = known
      else refuse(`Must be one of ${mergedTypes.join(', ')}.`)
    } else if (name === 'into_id') intoId = idIn(values, refuse)
    else if (name === 'from_ids') {
      fromIds = idsIn(values, refuse)
      if (fromIds.length > sizes.mergedRecords.most) refuse(`Must have at most ${sizes.mergedRecords.most} ids.`)
    } else return false
    return true
  })
  return { objectType, fromIds, intoId }
}

const exampleSide = {
  id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  name: 'Ken Griffey Jr',
  aliases: [],
  cards_count: 3,
}

/** What a merge would do. */
export const previewRoute: Route = {
  ...flatForOperators,
  method: 'GET',
  path: `${path}/preview`,
  operationId: 'previewMerge',
  summary: 'Preview a merge',
  description:
    'Counts what a merge would move and combine, and lists the new aliases. Nothing is written or locked. Returns 400 if the merge would be refused.',
  query: {
    object_type: {
      required: true,
      schema: oneOf([...mergedTypes]),
      description: 'The type of the records.',
      example: 'players',
    },
    from_ids: {
      required: true,
      schema: Type.Array(uuid(), { minItems: 1, maxItems: sizes.mergedRecords.most }),
      description: 'The records to merge into the target.',
      example: [exampleSide.id],
    },
    into_id: {
      required: true,
      schema: uuid(),
      description: 'The target.',
      example: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
    },
  },
  answers: {
    200: {
      description: 'The preview.',
      schema,
      example: {
        into: {
          id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
          name: 'Ken Griffey Jr.',
          aliases: ['The Kid'],
          cards_count: 412,
        },
        from: [exampleSide],
        moves: { cards: 3, sets: 0, player_teams: 1, attached: 0 },
        becomes_one: { cards: 0, player_teams: 1, entries: 0 },
        aliases: ['Ken Griffey Jr'],
      },
    },
  },
  refusals: [400],
  handle: preview,
}
