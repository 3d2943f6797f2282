import { wordsOf } from '../words.ts'
import { baseballNicknames } from './baseball-nicknames.ts'
import { otherNicknames } from './other-nicknames.ts'

const namesByNickname = new Map<string, string[]>()
for (const [name, nicknames] of Object.entries({ ...baseballNicknames, ...otherNicknames }))
  for (const nickname of nicknames.split(';')) {
    const key = wordsOf(nickname).join(' ')
    namesByNickname.set(key, [...(namesByNickname.get(key) ?? []), name])
  }

/** The names of those who are called so; none if nobody is. */
export const nicknamed = (words: string[]): string[] => namesByNickname.get(words.join(' ')) ?? []
