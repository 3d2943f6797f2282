import type { Config } from '../config.ts'

/** The headers of a page: nothing from elsewhere, no script or style inside of it, in no frame, and told to no other site. */
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

/** Images come by signed addresses on BASE_URL, which lead to the bucket where there is one. */
const imageOrigins = ({ baseUrl, s3 }: Pick<Config, 'baseUrl' | 's3'>) => [
  new URL(baseUrl).origin,
  ...(s3 ? [s3.endpoint ? new URL(s3.endpoint).origin : 'https:'] : []),
]
