/** The id before all others and the last possible id: where a walk along ids starts and ends. */
export const firstId = '00000000-0000-0000-0000-000000000000'
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The condition that a walk begins with, or goes on with after an id, which is the parameter `$1`. It begins without a condition
 * because a card may have the first id.
 */
export const beyond = (id: string, after: string | undefined): [condition: string, args: string[]] =>
  after === undefined ? ['true', []] : [`${id} > $1`, [after]]

/** Yields pages of rows in the order of their ids. `read` returns the first rows or those after an id, and none at the end. */
export async function* pagesById<Row extends { id: string }>(
  read: (after: string | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: string | undefined; ; ) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.id
  }
}
