import { promisify } from 'node:util'
import zlib from 'node:zlib'

/** How a response may be compressed. A phone on a slow line gains most from Brotli. */
type Encoding = 'br' | 'gzip'

/** The best of these encodings that a request accepts. */
export const encodingFor = ({ headers }: Request, of: Encoding[] = ['br', 'gzip']): Encoding | undefined => {
  const accepted = headers.get('accept-encoding') ?? ''
  return of.find((one) => isAccepted[one].test(accepted))
}

const refused = '(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))'
const isAccepted = {
  br: new RegExp(`(?:^|[\\s,])br\\b${refused}`, 'i'),
  gzip: new RegExp(`(?:^|[\\s,])gzip\\b${refused}`, 'i'),
}

const gzip = promisify<string, zlib.ZlibOptions, Buffer>(zlib.gzip)
const brotli = promisify<string, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)

/** Compresses a text in a thread, so that a long one doesn't hold up other requests. `quality` is Brotli's. */
export const compressed = async (text: string, encoding: Encoding, quality: number) => {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: text.length }
  return new Uint8Array(
    await (encoding === 'br' ? brotli(text, { params }) : gzip(text, { level: Math.min(9, quality) })),
  )
}

type Compressed = { body: string | Blob; headers: Record<string, string> }

/** The Brotli quality for texts that are compressed only once. */
const forGood = 9

/** Compresses texts as requests accept them, each text once per encoding. */
export const compressor = () => {
  const known = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  return async (request: Request, text: string): Promise<Compressed> => {
    const headers = { Vary: 'Accept-Encoding' }
    const encoding = encodingFor(request)
    if (!encoding) return { body: text, headers }
    const key = `${encoding} ${text}`
    const bytes = known.get(key) ?? compressed(text, encoding, forGood)
    known.set(key, bytes)
    return { body: new Blob([await bytes]), headers: { ...headers, 'Content-Encoding': encoding } }
  }
}
