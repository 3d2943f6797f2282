import type { Database } from '../../../../../db/client.ts'
import type { Columns } from '../../../write/record.ts'
import type { CardItem, SetItem } from '../../read/item.ts'
import type { Known } from '../known.ts'
import { ensureNamed, findIds } from '../names.ts'
import type { ImportReport } from '../report.ts'
import { columnsOfCode } from '../run/queue.ts'
import type { Session } from '../session.ts'

const labels = [
  ['genres', 'genre'],
  ['years', 'year'],
  ['manufacturers', 'manufacturer'],
  ['brands', 'brand'],
] as const
export type LabelType = (typeof labels)[number][0]
export type Label = (typeof labels)[number][1]

/** Finds the genres, years, manufacturers and brands that sets name, and creates the missing ones. */
export const ensureLabels = async (
  db: Database,
  items: SetItem[],
  known: Known,
  report: ImportReport,
  { session, now }: { session: Session; now: Date },
) => {
  for (const [type, member] of labels) {
    await findIds(
      db,
      type,
      items.flatMap((item) => item.labelIds?.[member] ?? []),
      known,
      session,
    )
    const wanted = new Map<string, Columns>()
    for (const item of items)
      if (item[member] && !hasLabelId(item, member, known))
        wanted.set(item[member], type === 'years' ? { name: item[member] } : { name: item[member], description: null })
    const made = await ensureNamed(db, type, wanted, known, report, session, now)
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

/** Creates codes that no attribute item introduced, or that were forgotten since. */
export const ensureCodes = async (
  db: Database,
  cards: CardItem[],
  known: Known,
  report: ImportReport,
  session: Session,
  now: Date,
) => {
  await findIds(
    db,
    'attributes',
    cards.flatMap((card) => card.attributeIds ?? []),
    known,
    session,
  )
  const wanted = new Map<string, Columns>()
  for (const { attributes, attributeIds } of cards)
    for (const [at, code] of attributes.entries())
      if (!known.ids.has(attributeIds?.[at] ?? '')) wanted.set(code, columnsOfCode(code))
  report.labels += await ensureNamed(db, 'attributes', wanted, known, report, session, now)
}
