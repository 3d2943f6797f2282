import { wordsOf } from '../../../lib/words.ts'
import nicknames from '../../../vocabulary/nicknames.csv' with { type: 'text' }
import { rowsOf, semicolonParts } from '../../../vocabulary/rows.ts'

/** Scripts without word spacing are compared without spaces, since some people type them anyway. */
const keyOf = (words: string[]) => {
  const all = words.join(' ')
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー\s]+$/u.test(all)
    ? all.replaceAll(' ', '')
    : all
}

const namesByNickname = new Map<string, string[]>()
for (const [, name = '', cell] of rowsOf(nicknames))
  for (const nickname of semicolonParts(cell)) {
    const key = keyOf(wordsOf(nickname))
    namesByNickname.set(key, [...new Set([...(namesByNickname.get(key) ?? []), name])])
  }

/** The names that a nickname stands for, if any. */
export const nicknamed = (words: string[]): string[] => namesByNickname.get(keyOf(words)) ?? []

/** The names with a nickname that starts with these words, each with that nickname. */
export const nicknamedFrom = (words: string[]): { name: string; nickname: string }[] => {
  const beginning = keyOf(words)
  return [...namesByNickname].flatMap(([nickname, names]) =>
    nickname.startsWith(beginning) ? names.map((name) => ({ name, nickname })) : [],
  )
}
