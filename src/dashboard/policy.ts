import type { Config } from '../config.ts'

/** A page's headers: nothing from other sites, no inline scripts or styles, no framing, and no referrer for other sites. */
export const pageHeaders = (config: Pick<Config, 'baseUrl' | 's3'>): Record<string, string> => ({
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${imageOrigins(config).join(' ')}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  Vary: 'Cookie',
})

/** Images have signed URLs on BASE_URL. With a bucket, those redirect there. */
const imageOrigins = ({ baseUrl, s3 }: Pick<Config, 'baseUrl' | 's3'>) => [
  new URL(baseUrl).origin,
  ...(s3 ? [s3.endpoint ? new URL(s3.endpoint).origin : 'https:'] : []),
]
