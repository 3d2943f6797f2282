import { FormatRegistry } from '@sinclair/typebox'
import type { Config } from '../config.ts'
import type { Fault } from '../jsonapi/errors.ts'

/**
 * A URL that every program reads the same way: no user, no backslash, no escape in the host, and after it any printable ASCII
 * except a backslash.
 */
const plain = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?(?:[/?#][!-[\]-~]*)?$/i

/** Whether a browser may be sent to a URL after paying: its origin is the service's own or one of TRUSTED_ORIGINS. */
const isTrusted = ({ baseUrl, trustedOrigins }: Config, address: string): boolean => {
  if (!plain.test(address) || !URL.canParse(address)) return false
  const { origin, username, password } = new URL(address)
  return !username && !password && [new URL(baseUrl).origin, ...trustedOrigins].includes(origin)
}

/** A fault for each of these members that is a URL, but not a trusted one. */
export const addressFaults = (config: Config, members: Record<string, unknown>, names: string[]): Fault[] =>
  names.flatMap((name) => {
    const address = members[name]
    if (typeof address !== 'string' || !FormatRegistry.Get('uri')?.(address) || isTrusted(config, address)) return []
    return [{ pointer: `/${name}`, detail: 'Must be a URL of this service or of one of its TRUSTED_ORIGINS.' }]
  })
