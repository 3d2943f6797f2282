/** What is wrong with a sign that has no meaning where it is. `rest` is the query after this term. */
export const strayOf = (text: string, rest: string): { detail: string; meant?: string } | undefined => {
  if (/^!+[\p{L}\p{N}]/u.test(text) || (/^!+$/u.test(text) && rest.startsWith('(')))
    return { detail: 'An exclamation mark goes before a whole name in quotation marks; a minus sign excludes.' }
  if (/^[<>=:]/u.test(text))
    return { detail: 'A comparison goes between a field and its value, without spaces: year>=1990.' }
  if (/^(?:\d+\.\.\d*|\.\.\d+)$/u.test(text))
    return {
      detail: 'A range needs a field, such as year:1986..1990.',
      ...(/^(?=.)(?:\d{4})?\.\.(?:\d{4})?$/u.test(text) ? { meant: `year:${text}` } : {}),
    }
  if (text.includes('|'))
    return { detail: 'Put OR between alternatives.', meant: text.split('|').filter(Boolean).join(' OR ') || 'OR' }
  if (/\*(?!$)/u.test(text))
    return { detail: 'A star goes at the end of a word.', meant: text.replace(/\*(?=.)/gu, '') }
  if (text === '#' && !/^\s*[\p{L}\p{N}]/u.test(rest)) return { detail: 'The number is missing.' }
  return undefined
}
