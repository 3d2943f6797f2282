import type { ChecklistGroup } from './content.ts'

/** How many rows groups have. */
export const countRows = (groups: ChecklistGroup[]) => groups.reduce((sum, { rows }) => sum + rows.length, 0)

/** How many rows are drawn at once. */
const atOnce = 30

/** The first rows of some groups, and the rest. */
export const firstOf = ([first, ...others]: ChecklistGroup[]): [ChecklistGroup[], ChecklistGroup[]] => {
  if (!first) return [[], []]
  const now = first.rows.slice(0, atOnce)
  const later = first.rows.slice(atOnce)
  return [[{ ...first, rows: now }], later.length > 0 ? [{ ...first, rows: later }, ...others] : others]
}

/** Joins groups with those that follow. If the last set continues, it stays one group. */
export const joined = (now: ChecklistGroup[], next: ChecklistGroup[]): ChecklistGroup[] => {
  const [last, [begun, ...others]] = [now.at(-1), next]
  if (!last || !begun) return [...now, ...next]
  if (last.set.id !== begun.set.id) return [...now, begun, ...others]
  return [...now.slice(0, -1), { ...last, rows: [...last.rows, ...begun.rows] }, ...others]
}
