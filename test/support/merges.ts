import type { Shown } from './answer.ts'
import type { TestApp } from './app.ts'

/** Merges and undoes as an operator. */
export const merging = ({ operator }: Pick<TestApp, 'operator'>) => {
  const send = (body: object) =>
    operator.send('POST', '/internal/merges', {
      ...{ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
    })
  return {
    send,
    /** Merges records of one type into another one; answers the merge. */
    merge: async (from: Shown[], into: Shown, note?: string) => {
      const body = { object_type: into.type, from_ids: from.map(({ id }) => id), into_id: into.id, note }
      const answer = await send(body)
      if (answer.status !== 201) throw new Error(`the merge answered ${answer.status} ${answer.text}`)
      return answer.one
    },
    undo: ({ id }: Shown) => operator.delete(`/internal/merges/${id}`),
  }
}
