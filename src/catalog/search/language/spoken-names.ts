import { wordsOf } from '../../../lib/words.ts'
import { nicknamed } from './nicknames.ts'
import { eitherOf, fillerWords, type Plain, type Reader, termOf } from './plain.ts'
import type { NameWord, Pattern } from './query.ts'
import { allOf } from './spoken-words.ts'
import { spellingsOf } from './values.ts'
import { sequenceOf } from './wording.ts'

const longestNickname = 5

/** Some words taken literally, or as a name: a person's, or anything's. */
const orNamed = (some: Plain[], pattern: Pattern, isPerson: boolean) => {
  const text = some.map((one) => one.text).join(' ')
  const name = termOf(some[0]?.at ?? 0, { kind: 'name', text, pattern, isPerson })
  return { node: eitherOf(allOf(some, some.length === 1 && !isPerson), name), length: some.length }
}

/** Reads the longest nickname. Its words may also be meant literally. */
export const readNickname: Reader = (rest) => {
  for (let length = Math.min(longestNickname, rest.length); length > 0; length--) {
    const some = rest.slice(0, length)
    if (some.some(({ text }) => text.endsWith('*') || wordsOf(text).length === 0)) continue
    const names = nicknamed(some.flatMap(({ text }) => wordsOf(text)))
    if (names.length > 0) return orNamed(some, { any: names.map((name) => sequenceOf(wordsOf(name))) }, false)
  }
  return undefined
}

const isLetter = (plain: Plain | undefined) => /^\p{L}\.?$/u.test(plain?.text ?? '')
const isName = (plain: Plain | undefined) => {
  const [word = ''] = wordsOf(plain?.text ?? '')
  return /^\p{L}{2}/u.test(word) && !fillerWords.has(word)
}

/** Initials before a name: `K Griffey`, `J T Realmuto`. Each letter may also be a word of its own. */
export const readInitials: Reader = (rest) => {
  const letters = rest.findIndex((one) => !isLetter(one))
  const words = wordsOf(rest[letters]?.text ?? '')
  if (letters < 1 || letters > 3 || !isName(rest[letters])) return undefined
  const initials = rest.slice(0, letters).flatMap(({ text }) => wordsOf(text))
  const surname = sequenceOf(words)
  const begun: NameWord[] = initials.map((word) => ({ word, isBeginning: true }))
  const glued = initials.join('')
  const any = [
    [...begun, ...surname],
    ...(letters > 1 ? [[{ word: glued }, ...surname]] : [sequenceOf([`${glued}${words[0]}`, ...words.slice(1)])]),
  ]
  return orNamed(rest.slice(0, letters + 1), { any }, true)
}

/** An initial after a first name: `Tony G`. */
export const readLastInitial: Reader = ([first, second, third]) => {
  if (!first || !second || !isName(first) || !isLetter(second)) return undefined
  // A letter before a name is its initial. Before digits, it is part of a card number.
  if (isName(third) || isLetter(third) || /^\d{1,3}\D?$/.test(third?.text ?? '')) return undefined
  const begun: NameWord[] = wordsOf(second.text).map((word) => ({ word, isBeginning: true }))
  return orNamed([first, second], { any: [[...sequenceOf(wordsOf(first.text)), ...begun]] }, true)
}

const particles = new Set(['mc', 'mac', 'de', 'di', 'du', 'la', 'le', 'van', 'von'])

/** A name written as two words: `Mc Gwire`. */
export const readParticle: Reader = ([first, second]) => {
  const [particle = ''] = wordsOf(first?.text ?? '')
  if (!first || !second || !particles.has(particle) || !isName(second)) return undefined
  const [word = '', ...more] = wordsOf(second.text)
  return orNamed([first, second], { any: [sequenceOf([particle + word, ...more])] }, true)
}

/** A card number with a space between letters and digits: `98 T`, `U 92`. */
export const readNumberApart: Reader = ([first, second]) => {
  if (!first || !second || fillerWords.has(first.text.toLowerCase())) return undefined
  const isApart =
    (/^\d{1,4}$/.test(first.text) && /^[a-z]$/i.test(second.text)) ||
    (/^[a-z]{1,3}$/i.test(first.text) && /^\d{1,4}[a-z]?$/i.test(second.text))
  if (!isApart) return undefined
  const number = termOf(first.at, { kind: 'number', spellings: spellingsOf(first.text + second.text) })
  return { node: eitherOf(allOf([first, second], false), number), length: 2 }
}
