import { eitherOf, type Plain, type Reader, termOf } from './plain.ts'
import { shortSeasonOf } from './spoken-years.ts'
import { readSerial, spellingsOf } from './values.ts'

const lower = (plain: Plain | undefined) => plain?.text.toLowerCase() ?? ''

/** `/25`, `#/25`, `1/1`, `1of1`, `one of one`, `numbered to 5`, `#'d /5`. */
export const readPrintRun: Reader = (rest) => {
  const [first, second, third] = rest
  if (!first) return undefined
  const one = lower(first)
  const two = lower(second)
  const three = lower(third)
  const run = (limit: string, length: number) => {
    const wanted = readSerial('=', limit)
    return typeof wanted === 'string' || 'detail' in wanted ? undefined : { node: termOf(first.at, wanted), length }
  }
  const [, glued] = /^(?:#?(?:'?d)?|sn)?\/(\d{1,9})$/.exec(one) ?? []
  if (glued) return run(glued, 1)
  if (/^(1|one)(\/|of|-of-)(1|one)$/.test(one)) return run('1', 1)
  if (/^(1|one)$/.test(one) && two === 'of' && /^(1|one)$/.test(three)) return run('1', 3)
  if (/^(#'?d|numbered|serial|ser|limited)$/.test(one)) {
    const isTo = two === 'to' || two === 'out' || two === '/'
    const limit = (isTo ? three : two).replace(/^#?\//, '')
    if (/^\d{1,9}$/.test(limit) && (isTo || /^(#'?d|numbered)$/.test(one) || two.includes('/')))
      return run(limit, isTo ? 3 : 2)
    if (one === 'numbered') return { node: termOf(first.at, { kind: 'mark', mark: 'numbered' }), length: 1 }
  }
  return undefined
}

/** `#320`, `#?` (Unown has such numbers), `# 320`, `no. 320`, `nr 320`. `482/792` is number 482, or a number written that way. `86/87` may be a season. */
export const readNumber: Reader = ([first, second]) => {
  if (!first) return undefined
  const one = first.text
  const two = second?.text ?? ''
  const numbered = (...texts: string[]) => termOf(first.at, { kind: 'number', spellings: texts.flatMap(spellingsOf) })
  const number = (text: string, length: number) => ({ node: numbered(text), length })
  const [, own] = /^#+([^#'’/].*)$/u.exec(one) ?? []
  if (own) return number(own, 1)
  if (one === '#' && two) return number(two.replace(/^#/, ''), 2)
  const [, of] = /^(\d{1,5})\/\d{1,9}$/.exec(one) ?? []
  const season = shortSeasonOf(one)
  if (of) {
    const either = numbered(of, one)
    return { node: season ? eitherOf(termOf(first.at, season), either) : either, length: 1 }
  }
  const [, glued] = /^n[or]\.(.*\d.*)$/iu.exec(one) ?? []
  if (glued) return number(glued, 1)
  return /^(no|nr|num|number)\.?$/i.test(one) && /\d/.test(two) && !/^\//.test(two)
    ? number(two.replace(/^#/, ''), 2)
    : undefined
}
