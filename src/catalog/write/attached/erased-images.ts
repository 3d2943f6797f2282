import type { Transaction } from '../../../../db/client.ts'

/** Notes in the erasing transaction that the files of these images are to go once it has committed. */
export const noteErased = async (tx: Transaction, ids: string[], now: Date) => {
  await tx.sql`
    insert into loose_images (id, loose_from) select id, ${now.toISOString()}::timestamptz from unnest(${ids}::uuid[]) as e (id)
    on conflict (id) do nothing`
}
