/** Before every id, and the last that there can be: where a walk along ids begins and ends. */
export const firstId = '00000000-0000-0000-0000-000000000000'
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Rows in pages along their ids: `read` reads those behind an id, none at the end. */
export async function* pagesById<Row extends { id: string }>(
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = firstId; ; ) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.id
  }
}
