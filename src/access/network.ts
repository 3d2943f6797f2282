import { isIP } from 'node:net'

/**
 * What requests from an address are counted by (decisions.md §12): IPv4 by the address, even when mapped into IPv6, and IPv6 by
 * its /64, since a client usually has all of it. A text that isn't an address is returned as it is.
 */
export const networkOf = (address: string): string => {
  const bare = address.replace(/%.*$/, '')
  if (!bare.includes(':') || isIP(bare) !== 6) return bare
  const groups = groupsOf(bare)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) return fourOf(groups)
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${hostOf(`${network.join(':')}::`)}/64`
}

/** The eight groups of an IPv6 address, which must be in the URL standard's spelling. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = hostOf(address).split('::')
  const first = numbersOf(head)
  const last = numbersOf(tail ?? '')
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

const hostOf = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1)

const numbersOf = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))

const fourOf = (groups: number[]) => {
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
