/** `a|b` with OR between. A number sign goes before each. */
const alternativesIn = (text: string) => {
  const [first = '', ...more] = text.split('|').filter(Boolean)
  const sign = /^#(?=.)/u.exec(first)?.[0] ?? ''
  return [first, ...more.map((one) => (one.startsWith('#') ? one : sign + one))].filter(Boolean).join(' OR ')
}

/** What is wrong with a sign that has no meaning where it is. `rest` is the query after this term. */
export const strayOf = (text: string, rest: string): { detail: string; meant?: string } | undefined => {
  if (/^!+[\p{L}\p{N}#]/u.test(text) || (/^!+$/u.test(text) && rest.startsWith('('))) {
    const bare = text.replace(/^!+/u, '')
    return {
      detail: 'An exclamation mark goes before a whole name in quotation marks; a minus sign excludes.',
      ...(/^#|^[a-z]+[:=<>]/iu.test(bare)
        ? { meant: bare }
        : bare && !bare.includes('"')
          ? { meant: `!"${bare}"` }
          : {}),
    }
  }
  if (/^!!+"/u.test(text)) return { detail: 'One exclamation mark is enough.', meant: text.replace(/^!+/u, '!') }
  if (/[\p{L}\p{N}]"(?=[\p{L}\p{N}])/u.test(text))
    return { detail: 'A quotation mark goes before a word or after one.', meant: text.replace(/"/u, ' "') }
  if (/^[<>=:]/u.test(text))
    return { detail: 'A comparison goes between a field and its value, without spaces: year>=1990.' }
  if (/^(?:\d+\.\.\d*|\.\.\d+)$/u.test(text))
    return {
      detail: 'A range needs a field, such as year:1986..1990.',
      ...(/^(?=.)(?:\d{4})?\.\.(?:\d{4})?$/u.test(text) ? { meant: `year:${text}` } : {}),
    }
  if (text.includes('|')) return { detail: 'Put OR between alternatives.', meant: alternativesIn(text) || 'OR' }
  if (/\*(?!$)/u.test(text))
    return { detail: 'A star goes at the end of a word.', meant: text.replace(/\*(?=.)/gu, '') }
  if (text === '#' && /^\s+[?!]/u.test(rest)) return { detail: 'A number goes right after its sign.', meant: '#' }
  if (text === '#' && !/^\s*(?=\S*\d)[\p{L}\p{N}]/u.test(rest)) return { detail: 'The number is missing.', meant: '' }
  return undefined
}
