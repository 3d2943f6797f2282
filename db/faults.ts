type Fault = { code?: string; constraint_name?: string; cause?: Fault }

/** Whether the database failed with one of these codes. Also looks inside the query builder's wrapping. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  all(error).some(({ code }) => code !== undefined && codes.includes(code))

/** Whether the database refused because of this constraint or unique index. */
export const violates = (error: unknown, constraint: string): boolean =>
  all(error).some(({ constraint_name }) => constraint_name === constraint)

const all = (error: unknown): Fault[] => {
  if (typeof error !== 'object' || error === null) return []
  const fault = error as Fault
  return [fault, ...all(fault.cause)]
}
