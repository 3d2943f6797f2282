import { wordsOf } from '../../../../lib/words.ts'
import { baseballNicknames } from './baseball.ts'
import { basketballNicknames } from './basketball.ts'
import { brandNicknames } from './brands.ts'
import { otherNicknames } from './elsewhere.ts'
import { footballNicknames } from './football.ts'
import { hockeyNicknames } from './hockey.ts'
import { moreBaseballNicknames } from './more-baseball.ts'
import { nativeNames } from './native.ts'
import { placeNicknames } from './places.ts'
import { teamNicknames } from './teams.ts'

const lists = [
  ...[baseballNicknames, moreBaseballNicknames, basketballNicknames, footballNicknames, hockeyNicknames],
  ...[otherNicknames, nativeNames, teamNicknames, placeNicknames, brandNicknames],
]

/** Scripts without word spacing are compared without spaces, since some people type them anyway. */
const keyOf = (words: string[]) => {
  const all = words.join(' ')
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー\s]+$/u.test(all)
    ? all.replaceAll(' ', '')
    : all
}

const namesByNickname = new Map<string, string[]>()
for (const list of lists)
  for (const [name, nicknames] of Object.entries(list))
    for (const nickname of nicknames.split(';')) {
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
