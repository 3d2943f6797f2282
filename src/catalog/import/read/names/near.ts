import { editDistance } from '../../../../lib/edit-distance.ts'
import { foldText } from '../../../../lib/fold-text.ts'
import { nameSuffix } from './people.ts'

/**
 * Whether two names may be one person's, of which one was corrected: a letter or two apart (Grifey), one with a short first name
 * (J. Soto, Mike Trout and Michael Trout), or one without Jr.
 */
export const areNear = (one: string, other: string): boolean => {
  const [a, b] = [nameParts(one), nameParts(other)]
  if (a.suffix && b.suffix && a.suffix !== b.suffix) return false
  if (a.last === b.last && a.first !== '' && a.first[0] === b.first[0] && isShort(a.first, b.first)) return true
  const [short, long] = [a.first + a.last, b.first + b.last].toSorted((x, y) => x.length - y.length) as [string, string]
  const most = short.length < 8 ? 1 : 2
  return long.length - short.length <= most && long.length <= longest && editDistance(short, long) <= most
}

/** Longer names would take long to compare. */
const longest = 80

/** A name's first and last words, folded, without what stands between them, and its suffix. */
const nameParts = (name: string) => {
  const words = foldText(name)
    .split(/[\s,-]+/)
    .filter((word) => word !== '')
  const suffix = words.length > 1 && isSuffix.test(words.at(-1) ?? '') ? (words.pop() ?? '') : ''
  return { suffix, last: words.at(-1) ?? '', first: words.slice(0, -1).join('') }
}

const isSuffix = new RegExp(`^${nameSuffix}$`, 'i')

/** Whether one first name may be the other's short form: it has at most two letters (J, JD), or both begin with the same two. */
const isShort = (one: string, other: string) =>
  one.length <= 2 || other.length <= 2 || one.slice(0, 2) === other.slice(0, 2)
