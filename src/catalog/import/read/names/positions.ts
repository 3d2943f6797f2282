import { nameSuffix } from './people.ts'

/** The first words of last names that have several. */
export const particle =
  /^(?:d[aei]|del|della|do|dos|das|du|la|le|los|las|el|al|bin|v[ao]n|der|den|ter|ten|st\.?|san|santa|mac|o)$/i

/**
 * A full name and the position behind its comma: `Mike Trout, OF`. Null for any other: a last name has initials behind it, and SP is a code of
 * cards (`isCodeOrPosition`).
 */
export const positionBehind = (text: string): { name: string; position: string } | null => {
  const [, name, first = '', position] = withPosition.exec(text) ?? []
  return name && position && position !== 'SP' && !(position.length === 1 && particle.test(first))
    ? { name, position }
    : null
}

/** Whether a full name has a code behind its comma that is a position in the sport, too: a short print, or a starting pitcher. */
export const isCodeOrPosition = (text: string, genre: string | null): boolean =>
  (genre === null || genre === 'Baseball') && withPosition.exec(text)?.[3] === 'SP'

const positions = '(?:[1-3]B|SS|[LRC]F|OF|IF|DH|[SR]?P|C|QB|[RDLC]B|WR|TE|OL|DL|[PS]G|[SP]F|[KGFDT]|[LR]W)'
const withPosition = new RegExp(
  `^((\\p{L}[\\p{L}.'’-]*) (?!${nameSuffix},)\\p{L}[\\p{L} .'’-]*)(?:,| [-\u2013\u2014]) (${positions}(?:[/-]${positions})*)$`,
  'u',
)
