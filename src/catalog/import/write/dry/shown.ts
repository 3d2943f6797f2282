import type { Database } from '../../../../../db/client.ts'
import type { Fields } from '../../../write/history/fields.ts'
import { readReferenceNames } from '../reference-names.ts'
import type { Change } from '../report.ts'
import type { Session } from '../session.ts'

/** The fields of a new record, without the empty ones. */
export const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  )

/** Changes to cards or sets that show what they refer to by name, even if the import would only create it. */
export const named = async (
  db: Database,
  type: 'cards' | 'sets',
  changes: Change[],
  { pretendedNames }: Session,
): Promise<Change[]> => {
  const both = changes.flatMap(({ before, after }) => [(before ?? {}) as Fields, after as Fields])
  const shown = await readReferenceNames(db, type, both, pretendedNames)
  const show = (fields: object) =>
    Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, shown(field, value)]))
  return changes.map((one) => ({ ...one, before: one.before && show(one.before), after: show(one.after) }))
}
