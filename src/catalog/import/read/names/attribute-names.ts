import codes from '../../../../vocabulary/codes.csv' with { type: 'text' }
import { rowsOf, semicolonParts } from '../../../../vocabulary/rows.ts'

const rows = rowsOf(codes).map(([code = '', name = '', words]) => ({ code, name, words: semicolonParts(words) }))
const nameByCode = new Map(rows.map(({ code, name }) => [code, name]))

/** The name of a code: its usual meaning, or else the code itself. */
export const attributeName = (code: string) => nameByCode.get(code.toUpperCase()) ?? code

/** Of two codes with one name, the first is meant by it. */
const codeByWord = new Map([
  ...rows.map(({ code }) => [code, code] as const),
  ...rows.toReversed().map(({ code, name }) => [name.toUpperCase(), code] as const),
  ...rows.flatMap(({ code, words }) => words.map((word) => [word.toUpperCase(), code] as const)),
])

/** The code that a word or the name of a code means, in any case: `Rookie` is RC, `Patch` PATCH. Null for any other text. */
export const codeCalled = (text: string): string | null => codeByWord.get(text.toUpperCase()) ?? null

/** The code that a remark in brackets behind a name is: `(RC)`, `(Rookie)`, `(Auto)`. Null for any other, such as a title. */
export const codeInBrackets = (text: string): string | null =>
  isCommonCode(text)
    ? text
    : /^(?:rookies?(?: cards?)?|rc|autos?|au|autograph(?:s|ed)?)$/i.test(text)
      ? codeCalled(text)
      : null

/** The code that a word behind a name is: `ROOKIE`, `Auto`, `Patch`, and the codes that checklists use. Null for any other. */
export const codeBehind = (word: string): string | null =>
  behindNames.test(word) ? codeCalled(word) : isCommonCode(word) ? word : null

const behindNames = /^(?:rookie(?: card)?|auto|autograph(?:ed)?|jersey|patch|relic|memorabilia)$/i

/** Whether a word is a code that checklists use without defining it. */
export const isCommonCode = (word: string) => nameByCode.has(word)
