import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Finds all addresses of a name. An argument, so that a test can ask its own server. */
export type Resolve = (name: string) => Promise<string[]>

/** Asks the system's resolver. */
export const resolveName: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/** The addresses behind a host of a URL, where brackets hold an IPv6 address. */
export const addressesOf = async (hostname: string, resolve: Resolve): Promise<string[]> => {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) ? [bare] : resolve(bare)
}

const ranges = (list: string, family: 'ipv4' | 'ipv6') => {
  const block = new BlockList()
  for (const range of list.trim().split(/\s+/)) {
    const [network = '', prefix] = range.split('/')
    block.addSubnet(network, Number(prefix), family)
  }
  return block
}

/** IPv4 ranges that no public service has (IANA's special-purpose registry, multicast, class E). */
const specialV4 = ranges(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
  192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
  'ipv4',
)

const globalV6 = ranges('2000::/3', 'ipv6')

/** Inside of 2000::/3: Teredo and other protocols' ranges, documentation, and 6to4. Some of them carry an IPv4 address. */
const specialV6 = ranges('2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20', 'ipv6')

/** Whether an address is one of the public internet. IPv4 inside of IPv6, in whatever form, isn't. */
export const isPublic = (address: string): boolean => {
  if (isIP(address) === 4) return !specialV4.check(address, 'ipv4')
  if (isIP(address) !== 6 || address.includes('%')) return false
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}

const loopbackV4 = ranges('127.0.0.0/8', 'ipv4')

/** Whether an address is this machine's own. */
export const isLoopback = (address: string): boolean =>
  isIP(address) === 4 ? loopbackV4.check(address, 'ipv4') : address === '::1'

/** Whether a host of a URL says that it is this machine. */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
