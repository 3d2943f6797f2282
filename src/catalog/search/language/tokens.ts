import { characters } from '../../../jsonapi/text-faults.ts'

/** A piece of a query: a parenthesis, a minus sign before a term, the word OR, or a term as typed. */
export type Token = { kind: '(' | ')' | '-' | 'or' | 'term'; at: number; text: string; end: number }

// A term may start with a field and a comparison. The rest may be in quotation marks.
const term = /!?(?:[a-z]+(?:!=|<=|>=|[:=<>]){1,2})?"[^"]*"?|[^\s()]+/iy

/** Splits a query into tokens. Lowercase `or` means OR inside or next to parentheses. */
export const tokensOf = (q: string): Token[] => {
  const tokens: Token[] = []
  let depth = 0
  let at = 0
  let end = 0
  const push = (kind: Token['kind'], from: number, length: number) => {
    at += characters(q.slice(end, from))
    const text = q.slice(from, from + length)
    tokens.push({ kind, at, text, end: from + length })
    at += characters(text)
    end = from + length
  }
  for (let i = 0; i < q.length; ) {
    const letter = q.charAt(i)
    if (/\s/u.test(letter)) i++
    else if (letter === '(' || letter === ')') {
      depth += letter === '(' ? 1 : -1
      push(letter, i, 1)
      i++
    } else if (letter === '-') {
      push('-', i, 1)
      i++
    } else {
      term.lastIndex = i
      const text = term.exec(q)?.[0] ?? letter
      const isBeside = depth > 0 || tokens.at(-1)?.kind === ')' || /^\s*-?\(/u.test(q.slice(i + text.length))
      push(text === 'OR' || (text.toLowerCase() === 'or' && isBeside) ? 'or' : 'term', i, text.length)
      i += text.length
    }
  }
  return tokens
}

/**
 * The query with wide signs, typographic quotation marks and apostrophes, and dashes in or before a term replaced one for one, so that
 * positions stay the same.
 */
export const plainSigns = (q: string) =>
  q
    .replace(/[！-～]/gu, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[“”„‟]/gu, '"')
    .replace(/[´ʹ′]/gu, "'")
    .replace(/(?<=^|[\s(\p{L}\p{N}])[‐‑‒–—―−﹘﹣](?=["(#\p{L}\p{N}])/gu, '-')

/** How many terms a query has, without `order:`. */
export const termsIn = (q: string) =>
  tokensOf(q).filter(({ kind, text }) => kind === 'term' && !/^order:/i.test(text)).length
