import { ApiError } from '../jsonapi/errors.ts'
import { Failed } from './command.ts'

/** A refusal as a failed command, one line for each fault. `idAt` finds the id of the command line that a pointer is about. */
export const failed =
  (idAt: (pointer: string) => string | undefined = () => undefined) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError)) throw error
    const lines = error.errors.map(({ detail, title, source }) => {
      const id = idAt(source?.pointer ?? '')
      return `${id === undefined ? '' : `${id}: `}${detail ?? title}`
    })
    throw new Failed(lines.join('\n'))
  }

/** The id at a pointer into a list, such as `/from_ids/2`. */
export const idIn =
  (list: string, ids: readonly string[]) =>
  (pointer: string): string | undefined =>
    ids[Number(new RegExp(`^/${list}/(\\d+)$`).exec(pointer)?.[1] ?? Number.NaN)]
