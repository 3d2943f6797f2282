import { dayOf } from '../../lib/clock.ts'
import { sayCard } from '../browser/catalog/card-lines.ts'
import type { Content, PrintContent } from '../browser/catalog/content.ts'
import { type Ask, pageNumber } from './ask.ts'
import { narrowedBy, readStretch } from './checklist.ts'
import { fullName, readSet } from './set.ts'

/** How many cards are printed at once, about forty sheets. A longer checklist is printed in parts. */
const perPart = 5000

/** A set's printable checklist, with its sources and today's date. */
export const printContent = async (ask: Ask): Promise<Content<PrintContent>> => {
  const { id, path, listed, sources } = await readSet(ask)
  const part = pageNumber(ask.query.part)
  const before = (part - 1) * perPart
  const list = await readStretch(ask, listed, narrowedBy(ask.query), before, perPart)
  const count = list.groups.reduce((sum, { rows }) => sum + rows.length, 0)
  const name = fullName(path)
  const isNamed = list.groups.length > 1 || list.groups[0]?.set.id !== id
  return {
    head: {
      title: `${name}: printable checklist`,
      description: `A printable checklist of ${name}.`,
      path: `/sets/${id}/print`,
      isUnlisted: true,
    },
    value: {
      set: { id, name: path.at(-1)?.name ?? '' },
      path: path.slice(0, -1),
      sources,
      day: dayOf(ask.call.now),
      groups: list.groups.map(({ set, rows }) => ({
        name: isNamed ? set.name : '',
        lines: rows.map((row) => ({ id: row.id, line: sayCard(row) })),
      })),
      meta: {
        current_page: part,
        last_page: Math.ceil(list.total / perPart),
        from: count > 0 ? before + 1 : null,
        to: count > 0 ? before + count : null,
        total: list.total,
      },
    },
  }
}
