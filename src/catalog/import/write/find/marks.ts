import { arrayOf } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import type { CardRecord, CardState } from '../../../write/record.ts'
import { alikeKey } from '../../read/names/alike.ts'
import { codeCalled } from '../../read/names/attribute-names.ts'
import type { Session } from '../session.ts'
import type { WantedCard } from './cards.ts'

/** The codes that tell the variations of a card apart. Others, such as RC, are on all of them. */
const codeOfVariation = /^(?:err|cor|s{1,3}p|pv|iv|var(?:iation)?)$/i
const wordOfVariation = /\b(?:variations?|variants?|s{1,3}p|var)\b/i

/** What marks a variation: its title, however it is written, and its codes. */
type Marked = Pick<CardState, 'title' | 'attributeIds'>

/** Reads which codes of rows and of the cards that they may be mark variations. */
export const readMarks = async (
  { sql }: Database,
  rows: WantedCard[],
  cardsOf: (one: WantedCard) => CardRecord[],
  { pretendedNames }: Session,
) => {
  const all = new Set(rows.flatMap((one) => [one.state, ...cardsOf(one)].flatMap(({ attributeIds }) => attributeIds)))
  const stored =
    all.size > 0
      ? await sql<{ id: string; code: string }[]>`
          select id, attribute as code from attributes where id = any(${arrayOf([...all])}::uuid[])`
      : []
  const codes = new Map([...pretendedNames, ...stored.map(({ id, code }) => [id, code] as const)])
  const codesIn = ({ attributeIds }: Marked) =>
    attributeIds.flatMap((id) => codes.get(id)?.toUpperCase() ?? []).filter((code) => codeOfVariation.test(code))
  /** One site's title `Error` is another one's code ERR. */
  const marksIn = (one: Marked) => {
    const code = codeCalled(one.title ?? '')
    const isCode = code !== null && codeOfVariation.test(code)
    const all = [...codesIn(one), ...(isCode ? [code] : [])]
    return { title: isCode ? '' : alikeKey(one.title ?? ''), codes: [...new Set(all)].toSorted() }
  }
  return {
    /** The marks of a row or a card, as a key. */
    of: (one: Marked) => JSON.stringify(marksIn(one)),
    /** Whether only codes mark it. */
    isByCode: (one: Marked) => one.title === null && codesIn(one).length > 0,
    /** Whether its title or its codes say that it is a variation. */
    isVariation: (one: Marked) => wordOfVariation.test(one.title ?? '') || marksIn(one).codes.length > 0,
  }
}
export type Marks = Awaited<ReturnType<typeof readMarks>>
