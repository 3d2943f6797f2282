import type { Context } from '../../../context.ts'
import { keysOf, type Secrets, sameText, sign } from '../../../lib/secret.ts'
import { fileName } from './naming.ts'

type Named = { id: string; resource: string }

/**
 * Makes addresses that open a bulk file without a credential, as those of images do: one ends at the end of the window
 * after the current one, each as long as IMAGE_URL_TTL says.
 */
export const bulkUrls = ({ config, secret }: Pick<Context, 'config' | 'secret'>, now: Date) => {
  const { baseUrl, imageUrlTtlSeconds: ttlSeconds } = config
  const [key] = keysOf(secret, purpose)
  const expires = String((Math.floor(now.getTime() / 1000 / ttlSeconds) + 2) * ttlSeconds)
  return ({ id, resource }: Named) => {
    const name = fileName(resource)
    return `${baseUrl}/bulk/${id}/${name}?expires=${expires}&signature=${sign(key, `${id} ${name} ${expires}`)}`
  }
}

/** How many seconds a presented address still holds; undefined where its signature is wrong or it has expired. */
export const readBulkUrl = (
  secret: Secrets,
  { id, name, search }: { id: string; name: string; search: URLSearchParams },
  now: Date,
): number | undefined => {
  const [expires, signature] = [search.get('expires') ?? '', search.get('signature') ?? '']
  if (!/^\d{1,12}$/.test(expires)) return undefined
  const isSigned = (key: string) => sameText(signature, sign(key, `${id} ${name} ${expires}`))
  if (!keysOf(secret, purpose).some(isSigned)) return undefined
  const seconds = Number(expires) - now.getTime() / 1000
  return seconds > 0 ? seconds : undefined
}

const purpose = 'bulk addresses'
