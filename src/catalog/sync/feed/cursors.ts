import type { Context } from '../../../context.ts'
import { type Cursors, cursorsOf } from '../../../jsonapi/cursor.ts'
import { path } from './document.ts'
import type { FeedPlace } from './read.ts'

/** The cursors of the feed: bound to its path alone (decisions.md §11). */
export const feedCursors = ({ secret }: Pick<Context, 'secret'>): Cursors => cursorsOf(secret, path)

/** The cursor of a place in the feed. */
export const writePlace = (cursors: Cursors, { no, taken, mark }: FeedPlace): string =>
  cursors.write(mark === undefined ? [no, taken] : [no, taken, mark])
