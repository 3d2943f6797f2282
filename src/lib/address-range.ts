import { isIP } from 'node:net'

/** Whether a text is an IP address or a CIDR, as `TRUSTED_PROXIES` takes them. */
export const isAddressRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32))
}
