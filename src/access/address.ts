import { BlockList, isIP } from 'node:net'
import type { NoteForward } from './untrusted-forwards.ts'

/** Finds the client's address: the socket's, or behind a trusted proxy the right-most untrusted one in `X-Forwarded-For`. */
export type FindAddress = (peer: string, forwardedFor: string | null) => string

/** Reads the trusted proxies: addresses and CIDRs. `note` hears of other peers that send `X-Forwarded-For`. */
export const trustProxies = (proxies: string[], note?: NoteForward): FindAddress => {
  const trusted = new BlockList()
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/')
    if (prefix === undefined) trusted.addAddress(address, familyOf(address))
    else trusted.addSubnet(address, Number(prefix), familyOf(address))
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, familyOf(address))
  // Behind a proxy, or on one connection, every request has the same peer.
  let known = { peer: '', socket: 'unknown' }
  return (peer, forwardedFor) => {
    if (peer !== known.peer) known = { peer, socket: readAddress(peer) ?? 'unknown' }
    const { socket } = known
    if (!forwardedFor) return socket
    if (!isTrusted(socket)) {
      note?.(socket)
      return socket
    }
    let client = socket
    for (const hop of forwardedFor.split(',').reverse()) {
      const address = readAddress(hop.trim())
      if (!address) return client
      if (!isTrusted(address)) return address
      client = address
    }
    return client
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Normalizes an address: no brackets, port or zone, IPv6 shortened, and IPv4-mapped IPv6 written as IPv4. */
const readAddress = (text: string): string | undefined => {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/, '')
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short)
  if (!mapped) return short
  const high = Number.parseInt(mapped[1] ?? '', 16)
  const low = Number.parseInt(mapped[2] ?? '', 16)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
