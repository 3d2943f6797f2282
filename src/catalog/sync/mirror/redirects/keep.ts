import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Transaction } from '../../../../../db/client.ts'
import type { Reference } from '../record.ts'

/** A merged id, and where it leads at the source. */
export type SourceRedirect = Reference & { into: string }

/** Saves where merged ids lead. */
export const keepRedirects = async (tx: Transaction, redirects: SourceRedirect[]) => {
  if (redirects.length === 0) return
  await tx.sql`
    insert into redirects as r (id, object_type, into_id)
    select id, object_type, into_id from unnest(${arrayOf(redirects.map(({ id }) => id))}::text::uuid[],
      ${arrayOfTexts(redirects.map(({ type }) => type))}::text::text[],
      ${arrayOf(redirects.map(({ into }) => into))}::text::uuid[]) as n (id, object_type, into_id)
    on conflict (id) do update set object_type = excluded.object_type, into_id = excluded.into_id`
}

/** Deletes the redirects of ids that have their own records again, because their merge was undone. */
export const dropRedirects = async (tx: Transaction, ids: string[]) => {
  if (ids.length > 0) await tx.sql`delete from redirects where id = any(${arrayOf(ids)}::text::uuid[])`
}
