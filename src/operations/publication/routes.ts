import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import { pathId } from '../../http/path-id.ts'
import { type Call, flatForOperators, type Reply, type Route } from '../../http/route.ts'
import { invalidParameter, notFound } from '../../jsonapi/errors.ts'
import { boolean, integer, oneOf, uuid } from '../../jsonapi/fields.ts'
import { idsIn, readAsked } from '../preview-query.ts'
import { readComing, readLeaving, readTree, type SetBelow, setBelow } from './read.ts'

const records = (description: string) =>
  Type.Array(
    Type.Object({
      type: oneOf(['players', 'teams', 'brands', 'manufacturers', 'genres', 'years']),
      count: integer(0),
      names: Type.Array(Type.String(), { description: 'The first five, by name.' }),
    }),
    { description },
  )

const schema = Type.Object(
  {
    set: setBelow,
    below: Type.Array(setBelow, { description: 'All sets below it, each after its parent; at most 999.' }),
    is_whole: { ...boolean(), description: 'False if there are more sets below it.' },
    comes_into_sight: Type.Object({
      sets: integer(0),
      cards: integer(0),
      records: records('Records that nothing published refers to yet.'),
    }),
    leaves_sight: Type.Object(
      { cards: integer(0), records: records('Records that nothing else published refers to.') },
      { description: 'What readers lose if this published set becomes a draft again. Empty for a draft.' },
    ),
  },
  { $id: 'Publication' },
)

const preview = async ({ db }: Context, call: Call): Promise<Reply> => {
  const id = pathId(call, 'set')
  const asked = readSetIds(call.url.searchParams)
  const tree = await readTree(db.heavy, id)
  if (!tree) throw notFound()
  const all = [tree.set, ...tree.below]
  const unknown = asked?.find((one) => !all.some((set) => set.id === one))
  if (unknown) throw invalidParameter('set_ids', `${unknown} is neither this set nor one below it.`)
  const drafts = all.filter((set) => set.status === 'draft' && (!asked || asked.includes(set.id)))
  const ids = drafts.map((set) => set.id)
  const records = await readComing(db.heavy, ids)
  const isPublished = tree.set.status === 'published'
  const leaves_sight = {
    cards: isPublished ? tree.set.cards_count : 0,
    records: isPublished ? await readLeaving(db.heavy, id) : [],
  }
  const { set, below, isWhole: is_whole } = tree
  const body = { set, below, is_whole, comes_into_sight: sum(drafts, records), leaves_sight }
  return { status: 200, body }
}

const sum = <T>(drafts: SetBelow[], records: T) => ({
  sets: drafts.length,
  cards: drafts.reduce((cards, set) => cards + set.cards_count, 0),
  records,
})

/** The ids of the drafts to publish. Undefined for all. */
const readSetIds = (search: URLSearchParams): string[] | undefined => {
  let ids: string[] | undefined
  readAsked(search, { lists: ['set_ids'] }, (name, values, refuse) => {
    if (name !== 'set_ids') return false
    ids = idsIn(values, refuse)
    return true
  })
  return ids
}

const exampleSet = {
  id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  parent_id: null,
  name: '2024 Topps Chrome',
  kind: 'base',
  status: 'draft',
  cards_count: 300,
  depth: 0,
}

/** Previews what readers will see once a set is published, or no longer see once it is a draft again. */
export const publicationRoutes: Route[] = [
  {
    ...flatForOperators,
    method: 'GET',
    path: '/internal/sets/:set/publication',
    operationId: 'previewPublication',
    summary: 'Preview the publication of a set',
    description:
      'Lists the sets below a set, and what readers will newly see if it and all drafts below it are published, or only those in `set_ids`. For a published set, also lists what readers will no longer see if it alone becomes a draft again. Nothing is written. To publish, PATCH each set.',
    query: {
      set_ids: {
        schema: Type.Array(uuid()),
        description: 'The drafts to publish, which may include the set itself. Defaults to all.',
        example: [exampleSet.id],
      },
    },
    answers: {
      200: {
        description: 'The preview.',
        schema,
        example: {
          set: exampleSet,
          below: [],
          is_whole: true,
          comes_into_sight: {
            sets: 1,
            cards: 300,
            records: [{ type: 'players', count: 2, names: ['Jackson Holliday', 'Wyatt Langford'] }],
          },
          leaves_sight: { cards: 0, records: [] },
        },
      },
    },
    refusals: [400, 404],
    handle: preview,
  },
]
