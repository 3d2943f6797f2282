import type { Database } from '../../../../../db/client.ts'
import type { Columns } from '../../../write/record.ts'
import type { CardItem, SetItem } from '../../read/item.ts'
import type { Known } from '../lookup-cache.ts'
import { ensureNamed, findIds, lookUp } from '../names.ts'
import type { Part } from '../run/chunk-context.ts'
import { columnsOfCode } from '../run/queue.ts'

const labels = [
  ['genres', 'genre'],
  ['years', 'year'],
  ['manufacturers', 'manufacturer'],
  ['brands', 'brand'],
] as const
export type LabelType = (typeof labels)[number][0]
export type Label = (typeof labels)[number][1]

/** Finds the genres, years, manufacturers and brands that sets name, and creates the missing ones. */
export const ensureLabels = async (db: Database, items: SetItem[], part: Part) => {
  const { known, report } = part
  for (const [type, member] of labels) {
    const ids = items.flatMap((item) => item.labelIds?.[member] ?? [])
    await findIds(db, type, ids, part)
    const wanted = new Map<string, Columns>()
    for (const item of items)
      if (item[member] && !hasLabelId(item, member, known))
        wanted.set(item[member], type === 'years' ? { name: item[member] } : { name: item[member], description: null })
    const made = await ensureNamed(db, type, wanted, part)
    report.labels += made
    if (type === 'years') report.years += made
  }
}

/** Whether to use an export's label id: if that label is live, or the set is deleted. */
export const hasLabelId = ({ labelIds, deleted }: SetItem, label: Label, known: Known) => {
  const id = labelIds?.[label]
  const live = id ? known.merged.has(id) || known.ids.get(id) : undefined
  return live === true || (live === false && deleted)
}

/** Creates codes that no attribute item introduced, or that were forgotten since. Those that rows deny are only looked up. */
export const ensureCodes = async (db: Database, cards: CardItem[], part: Part) => {
  const { known, report } = part
  const ids = cards.flatMap((card) => card.attributeIds ?? [])
  await findIds(db, 'attributes', ids, part)
  const wanted = new Map<string, Columns>()
  for (const { attributes, hasExactCodes } of cards)
    if (hasExactCodes) for (const code of attributes) known.exactCodes.add(code)
  for (const { attributes, attributeIds } of cards)
    for (const [at, code] of attributes.entries())
      if (!known.ids.has(attributeIds?.[at] ?? '')) wanted.set(code, columnsOfCode(code))
  report.labels += await ensureNamed(db, 'attributes', wanted, part)
  const denied = cards.flatMap(({ denied = [] }) =>
    denied.map((code): [string, Columns] => [code, columnsOfCode(code)]),
  )
  if (denied.length > 0) await lookUp(db, 'attributes', new Map(denied), new Map(), part)
}
