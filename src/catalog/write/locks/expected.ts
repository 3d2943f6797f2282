import type { Writer } from '../record.ts'

/** Whether the writer can see the record. Throws if it isn't the revision that the writer expects. */
export const isAsExpected = <Stored extends { deleted: boolean; audience: number; revision: string }>(
  before: Stored | undefined,
  { level, expects }: Writer,
): before is Stored => {
  const isVisible = before !== undefined && !before.deleted && before.audience >= level
  if (isVisible) expects?.(before.revision)
  return isVisible
}
