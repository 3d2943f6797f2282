import { findChoices, readPictured } from '../../catalog/list/grouped/checklist.ts'
import { findSetPaths, findSetsBelow, type SetBelow } from '../../catalog/show/set-tree.ts'
import { counted } from '../../lib/counted.ts'
import type { Content, Ref, SetContent, SetNode } from '../browser/catalog/content.ts'
import { type Many, type One, oneOf, type Resource, refOf, type SetResource } from '../browser/kit/documents.ts'
import { type Ask, pageNumber } from './ask.ts'
import { showCards } from './cards.ts'
import { firstRows, type ListedSet, narrowedBy, readStretch } from './checklist.ts'
import { inOrder, listQuery } from './sets.ts'

const references = ['genre', 'year', 'brand', 'manufacturer'] as const

/** How many pictures are shown above a checklist. */
const mostPictures = 12

/** A set without its cards: its path from the root, and all sets below it in tree order. */
export const readSet = async (ask: Ask) => {
  const { db } = ask.context
  const id = ask.id()
  const [{ data: set, included }, paths, below, sources] = await Promise.all([
    ask.read<One<SetResource>>(`/v1/sets/${id}`, { include: references.join() }),
    findSetPaths(db, [id], ask.level),
    findSetsBelow(db, id, ask.level),
    ask.read<Many<Resource<{ source_url: string; title: string | null }>>>('/v1/set-sources', {
      'filter[set_id]': id,
      per_page: '20',
    }),
  ])
  const path = paths.get(id) ?? [{ id, name: set.attributes.name }]
  const tree = treeOf(id, below)
  const { kind, status, cards_count } = set.attributes
  const own = { id, name: set.attributes.name, kind, isDraft: status === 'draft', cards: cards_count }
  const nos = new Map(below.map(({ id, no }) => [id, no]))
  const listed: ListedSet[] = [
    { ...own, no: await placeOf(ask, id) },
    ...flat(tree).map((node) => ({ ...node, no: nos.get(node.id) ?? 0 })),
  ]
  const shown = sources.data.map(({ attributes }) => ({ url: attributes.source_url, title: attributes.title }))
  return { id, set, included, path, tree, listed, sources: shown.filter(({ url }) => /^https?:/i.test(url)) }
}

/** A set's number, which indexes use instead of its id. */
const placeOf = async ({ context: { db } }: Ask, id: string) => {
  const [row] = await db.sql<{ no: number }[]>`select no from sets where id = ${id}`
  return row?.no ?? 0
}

/** A set's full name, such as `1986-87 Fleer Basketball › Base Set`. */
export const fullName = (path: Ref[]) => path.map(({ name }) => name).join(' › ')

/** A set: its facts, the tree of sets below it, and its checklist including theirs. */
export const setContent = async (ask: Ask): Promise<Content<SetContent>> => {
  const { id, set, included, path, tree, listed, sources } = await readSet(ask)
  const { db } = ask.context
  const narrowed = narrowedBy(ask.query)
  const page = pageNumber(ask.query.page)
  const [checklist, choices, pictures] = await Promise.all([
    readStretch(ask, listed, narrowed, (page - 1) * firstRows, firstRows),
    findChoices(db.heavy, choosable(listed), ask.level),
    readPictured(
      db,
      listed.map((one) => one.id),
      ask.level,
      mostPictures,
    ),
  ])
  const pictured = await showCards(ask, pictures, { size: 'small' })
  const total = listed.reduce((sum, { cards }) => sum + cards, 0)
  const name = fullName(path)
  const place = Object.fromEntries(
    references.flatMap((reference) => {
      const found = oneOf(set, reference, included)
      return found ? [[reference, refOf(found)]] : []
    }),
  )
  const { description, kind, status, release_date } = set.attributes
  const kinds = listed.length > 1 ? `, ${counted(listed.length - 1, 'set')} below it` : ''
  return {
    head: {
      title: name,
      description: description ?? `The checklist of ${name}: ${counted(total, 'card')}${kinds}.`,
      path: `/sets/${id}${listQuery({ page: page > 1 ? String(page) : '' })}`,
      image: pictured[0]?.picture?.url,
    },
    value: {
      set: { id, name: set.attributes.name, description, kind, isDraft: status === 'draft', release: release_date },
      path: path.slice(0, -1),
      place,
      cards: { own: listed[0]?.cards ?? 0, below: cardsByKind(listed.slice(1)), total },
      tree,
      pictures: pictured.flatMap(({ id, name, picture }) => (picture ? [{ id, name, picture }] : [])),
      sources,
      narrowed,
      choices,
      checklist,
    },
  }
}

const cardsByKind = (sets: ListedSet[]): SetContent['cards']['below'] =>
  Object.fromEntries(
    [...Map.groupBy(sets, ({ kind }) => kind)].map(([kind, own]) => [
      kind,
      own.reduce((sum, { cards }) => sum + cards, 0),
    ]),
  )

/** The sets to read filter choices from. Parallels add none, since they have the teams and codes of their parent set. */
const choosable = ([own, ...below]: ListedSet[]) =>
  [own, ...below.filter(({ kind }) => kind !== 'parallel')].flatMap((set) => set?.id ?? [])

/** The sets below one, as a tree sorted by kind. Children of a hidden set move up to the root. */
const treeOf = (root: string, below: SetBelow[]): SetNode[] => {
  const known = new Set(below.map(({ id }) => id))
  const byParent = Map.groupBy(below, ({ parent }) => (known.has(parent) ? parent : root))
  const nodesOf = (parent: string): SetNode[] =>
    inOrder(byParent.get(parent) ?? []).map(({ id, name, kind, status, cards, printRun }) => ({
      id,
      name,
      kind,
      isDraft: status === 'draft',
      cards,
      printRun,
      below: nodesOf(id),
    }))
  return nodesOf(root)
}

/** The nodes of a tree, each followed by those below it. */
const flat = (tree: SetNode[]): SetNode[] => tree.flatMap((node) => [node, ...flat(node.below)])
