import { sayNumber } from '../../../../limits.ts'
import type { ImportItem } from '../item.ts'
import { beginMembers } from '../rows/json-rows.ts'
import type { Members, RowFile } from '../rows/row.ts'
import { fault, note, type Place, type Run } from '../run.ts'
import { besideChecklist, openChecklistFile } from '../source/open-checklist-files.ts'
import type { SourceFile } from '../source/source.ts'
import { readText } from '../source/text.ts'
import { BadYaml, readYamlDocument, readYamlList, type YamlEntry } from '../source/yaml.ts'
import type { Folder, Product, Waiting } from './open-checklist-folders.ts'
import {
  appliesTo,
  cardMembers,
  isMapping,
  nodesOf,
  type OpenNode,
  parallelCard,
  productMembers,
  unreadOf,
  uuidOf,
} from './open-checklist-rows.ts'

/** How many rows may wait for their set, and how many a set with parallels may have. */
const rowsMost = 100_000

/** Why a YAML file is refused that is no part of an open checklist. */
const noPart = 'YAML is read as set.yaml, manifest.yaml or checklists/NAME.yaml of the open checklist project.'

type Parts = AsyncGenerator<Iterable<ImportItem>>

/** Reads a YAML file of the open checklist project, in parts. One that is none is passed over where it was found in a folder or an archive. */
export async function* readOpenChecklist(run: Run, file: SourceFile, bytes: AsyncIterable<Uint8Array>): Parts {
  const place = { file: file.name, line: 0 }
  const found = openChecklistFile(file.path)
  const skipped: ImportItem = { kind: 'file', ...place, form: 'skipped' }
  if (!found && file.optional) return yield [skipped, note(place, 'skipped-file', 'no part of an open checklist')]
  run.hasChecklist = true
  if (!found) return yield [skipped, fault(place, noPart)]
  const folder = run.open.folders.getOrInsertComputed(`${file.within ?? ''}\0${found.folder}`, () => ({ waiting: [] }))
  yield [{ kind: 'file', ...place, form: 'rows' }]
  if (found.part !== 'checklist') {
    yield* readDocument(run, folder, file, found.part, bytes)
    return yield* begun(run, folder)
  }
  if (file.folder !== undefined && !folder.product) {
    for (const part of ['set', 'manifest'] as const) {
      const path = await besideChecklist(`${file.folder}/..`, part)
      const beside = { ...file, name: `${part}.yaml`, path: path ?? '' }
      if (path) yield* readDocument(run, folder, beside, part, Bun.file(path).stream())
    }
    yield* begun(run, folder)
  }
  const waiting: Waiting = { file, id: found.id, rows: [] }
  if (!folder.product) folder.waiting.push(waiting)
  const read = folder.product && beginRows(run, folder.product, waiting)
  for await (const rows of readYamlList(readText(bytes, run.encoding), run.passOver)) {
    if (read) yield read.rows(rows)
    else {
      run.open.waiting += rows.length
      if (run.open.waiting > rowsMost) return yield [fault(place, tooManyWait)]
      waiting.rows.push(...rows)
    }
  }
  if (read) yield read.end()
}

const tooManyWait = `More than ${sayNumber(rowsMost)} rows wait for their set.yaml and manifest.yaml. Put these first.`

/** Members by which a file of that name shows that it's one of a product, and not something else's. */
const signs = { set: ['uuid', 'set_id'], manifest: ['base_sets', 'subsets'] }

/** Reads `set.yaml` or `manifest.yaml`, once. */
async function* readDocument(
  run: Run,
  folder: Folder,
  file: SourceFile,
  part: 'set' | 'manifest',
  bytes: AsyncIterable<Uint8Array>,
): Parts {
  if (folder[part] || folder.isBad) return
  try {
    const value = await readYamlDocument(readText(bytes, run.encoding))
    if (!isMapping(value)) throw new BadYaml(0, 'it is no mapping')
    if (file.optional && !signs[part].some((name) => name in value))
      return yield [note({ file: file.name, line: 0 }, 'skipped-file', 'no part of an open checklist')]
    folder[part] = { file, value }
  } catch (error) {
    if (!(error instanceof BadYaml)) throw error
    folder.isBad = true
    yield [fault({ file: file.name, line: error.line }, error.message)]
  }
}

/** Begins the product once both documents are known: its sets, each before those below it, then the rows that waited. */
async function* begun(run: Run, folder: Folder): Parts {
  const { set, manifest } = folder
  if (!set || !manifest || folder.product || folder.isBad) return
  const refuse = (file: SourceFile, reason: string) => {
    folder.isBad = true
    return [fault({ file: file.name, line: 0 }, reason)]
  }
  const product = productMembers(set.value)
  if (typeof product === 'string') return yield refuse(set.file, product)
  const nodes = nodesOf(manifest.value, product.id, product.shared)
  if (typeof nodes === 'string') return yield refuse(manifest.file, nodes)
  const file: RowFile = { name: set.file.name, path: set.file.path }
  const read = beginMembers(run, file, false)
  const known = new Map(nodes.map((node) => [node.id, node]))
  folder.product = { file, read, nodes: known, unseen: new Set(known.keys()) }
  yield unreadOf(set.value).map((text) => note({ file: set.file.name, line: 0 }, 'unread-member', text))
  yield read(0, product.root)
  file.name = manifest.file.name
  for (const { members } of nodes) yield read(0, members)
  for (const waiting of folder.waiting.splice(0)) {
    run.open.waiting -= waiting.rows.length
    const rows = beginRows(run, folder.product, waiting)
    yield rows.rows(waiting.rows)
    yield rows.end()
  }
}

type Card = { members: Members; uuid: string }

/** Reads the rows of a checklist, and at its end the cards of its parallels. */
const beginRows = (run: Run, product: Product, { file, id }: Waiting) => {
  const node = product.nodes.get(id)
  const cards: Card[] = []
  const roles = new Set<string>()
  let cardsOfParallels = 0
  product.unseen.delete(id)
  const applies = (node?.parallels ?? []).map((parallel) => ({ parallel, has: appliesTo(node as OpenNode, parallel) }))

  function* rows(entries: YamlEntry[]): Generator<ImportItem> {
    product.file.name = file.name
    for (const entry of entries) {
      const place = { file: file.name, line: entry.line }
      const card = node && 'value' in entry ? cardMembers(entry.value, node) : undefined
      if ('reason' in entry) yield fault(place, entry.reason)
      else if (typeof card === 'string') yield fault(place, card)
      else if (!card) yield fault(place, `no set of manifest.yaml has the id ${id.slice(0, 100)}`)
      else {
        for (const role of card.roles.filter((each) => !roles.has(each)).slice(0, rolesMost - roles.size)) {
          roles.add(role)
          yield note(place, 'read-as', `${role}, as a player`)
        }
        yield* product.read(entry.line, card.members)
        yield* keep(card.members, uuidOf(entry.value), place)
      }
    }
  }

  /** Keeps a card for its set's parallels, or counts those that are left out. */
  function* keep(members: Members, uuid: string | null, place: Place): Generator<ImportItem> {
    if (applies.length === 0 || uuid === null) return
    if (!run.parallels) cardsOfParallels += applies.filter(({ has }) => has(String(members.number))).length
    else if (cards.length < rowsMost) cards.push({ members, uuid })
    else yield fault(place, `only the first ${sayNumber(rowsMost)} cards of a set get parallels`)
  }

  function* end(): Generator<ImportItem> {
    const place = { file: file.name, line: 0 }
    product.file.name = file.name
    const text = `${node?.members.set}: ${cardsOfParallels} cards of parallels and variations`
    if (cardsOfParallels > 0) yield { ...note(place, 'parallels-left-out', text), cards: cardsOfParallels }
    if (!run.parallels) return
    for (const { parallel, has } of applies) {
      yield* product.read(0, parallel.members)
      for (const { members, uuid } of cards)
        if (has(String(members.number))) yield* product.read(0, parallelCard(members, uuid, parallel))
    }
  }

  return { rows, end }
}

/** How many different roles of a file are noted. */
const rolesMost = 100

/** What a run of open checklists ends with: sets without a checklist, and files that lack one of the two documents. */
export function* endOpenChecklists({ open }: Run): Generator<ImportItem> {
  for (const { set, manifest, product, isBad, waiting } of open.folders.values()) {
    const first = waiting[0]?.file ?? set?.file ?? manifest?.file
    const place = { file: first?.name ?? '', line: 0 }
    const missing = [set ? [] : 'set.yaml', manifest ? [] : 'manifest.yaml'].flat().join(' and no ')
    for (const id of product?.unseen ?? [])
      yield note({ file: product?.file.name ?? '', line: 0 }, 'empty-set', `${product?.nodes.get(id)?.members.set}`)
    if (product) continue
    for (const { file } of waiting)
      yield fault({ file: file.name, line: 0 }, isBad ? badBeside : `there is no ${missing} beside it`)
    if (!isBad && waiting.length === 0) yield fault(place, `there is no ${missing} beside it`)
  }
}

const badBeside = 'the set.yaml or manifest.yaml beside it cannot be read'
