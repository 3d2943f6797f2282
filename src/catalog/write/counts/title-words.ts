import { arrayOfTexts } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { wordsOf } from '../../../lib/words.ts'
import { pendingOf } from '../locks/order.ts'
import { type Changes, note, writeChanges } from './changes.ts'

/** The type of changes that say which words of titles are new. Like `recounted`, the feed shows them to no one. */
export const titled = 'title_words'

/** Notes the words of the titles of cards that are written. Numbers alone are no words that somebody begins or misspells. */
export const noteTitles = (tx: Transaction, rows: { title: string | null }[]) => {
  const words = pendingOf(tx)?.titleWords
  if (!words) return
  for (const { title } of rows)
    if (title) for (const word of wordsOf(title)) if (!/^[0-9]+$/.test(word)) words.add(word)
}

/** Writes those that no title had before. Nobody waits for another writer of the same word: it is written twice. */
export const writeTitleWords = async (tx: Transaction, words: Set<string>) => {
  if (words.size === 0) return
  const added = await tx.sql<{ id: string }[]>`
    insert into title_words (id, word)
    select gen_random_uuid(), w.word from unnest(${arrayOfTexts([...words])}::text[]) w (word)
    where not exists (select from title_words t where t.word collate "C" = w.word collate "C")
    returning id`
  const changes: Changes = new Map()
  const ids = added.map(({ id }) => id)
  note(changes, titled, Audience.deleted, Audience.deleted, ids)
  await writeChanges(tx, changes, new Date())
}
