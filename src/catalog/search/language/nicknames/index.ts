import { wordsOf } from '../../words.ts'
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

/** Names in scripts that do not part words may be typed with spaces all the same. */
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

/** The names of those who are called so; none if nobody is. */
export const nicknamed = (words: string[]): string[] => namesByNickname.get(keyOf(words)) ?? []

/** The names of those who have a nickname that begins so, each with this nickname. */
export const nicknamedFrom = (words: string[]): { name: string; nickname: string }[] => {
  const beginning = keyOf(words)
  return [...namesByNickname].flatMap(([nickname, names]) =>
    nickname.startsWith(beginning) ? names.map((name) => ({ name, nickname })) : [],
  )
}
