import type { Place } from '../../jsonapi/cursor.ts'
import { isBackward } from '../list/page.ts'
import { type Arguments, allOf } from '../list/statement.ts'
import { numberOf, type PageOfHits } from './order.ts'
import { scores } from './scores.ts'

/** Which cards a source gives: at most so many, of those behind a place or before one, in checklist order or against it. */
export type Span = {
  limit: number
  isBackward: boolean
  where: (setNo: string, numberKey: string, id: string) => string
  /** The same of whole sets, as far as it can be said of them. */
  sets: (setNo: string) => string
  order: (...columns: string[]) => string
}

const ordered =
  (isBackward: boolean): Span['order'] =>
  (...columns) =>
    columns
      .map((column) => `${column}${/number_key$/.test(column) ? ' collate "C"' : ''}${isBackward ? ' desc' : ''}`)
      .join(', ')

/** The first cards of a source. */
export const firstCards = (limit: number): Span => ({
  ...{ limit, isBackward: false, order: ordered(false) },
  ...{ where: () => 'true', sets: () => 'true' },
})

/** The cards of a source that a page may have, where all of them have one score. */
export const cardsOfPage = (page: PageOfHits, args: Arguments): Span => {
  const bounds = [bound('>', page.after, args), bound('<', page.before, args)].filter((one) => one !== undefined)
  return {
    ...{ limit: page.size + 1, isBackward: isBackward(page), order: ordered(isBackward(page)) },
    where: (setNo, key, id) =>
      allOf(
        bounds.map((one) =>
          one === 'none' ? 'false' : `(${setNo}, ${key} collate "C", ${id}) ${one.sign} (${one.at.join(', ')})`,
        ),
      ),
    sets: (setNo) => allOf(bounds.map((one) => (one === 'none' ? 'false' : `${setNo} ${one.sign}= ${one.at[0]}`))),
  }
}

const bound = (sign: '<' | '>', place: Place | undefined, args: Arguments) => {
  if (place === undefined) return undefined
  if (place.length === 0) return sign === '<' ? undefined : ('none' as const)
  const [score, type, setNo, key, id] = place
  const ahead = scores.card - Number(score) || Number(type) - numberOf('cards')
  if (ahead !== 0) return ahead < 0 === (sign === '>') ? undefined : ('none' as const)
  return { sign, at: [args.add(setNo, 'int4'), args.add(key, 'text'), args.add(id, 'uuid')] }
}
