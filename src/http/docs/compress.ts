/** Whether a request accepts gzip. */
export const zipsFor = ({ headers }: Request) =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headers.get('accept-encoding') ?? '')

/** Compresses a text if the request accepts that. Each text is compressed once. */
export const compressor = () => {
  const zipped = new Map<string, Uint8Array<ArrayBuffer>>()
  return (request: Request, text: string): { body: string | Blob; headers: Record<string, string> } => {
    const headers = { Vary: 'Accept-Encoding' }
    if (!zipsFor(request)) return { body: text, headers }
    const bytes = zipped.get(text) ?? Bun.gzipSync(Buffer.from(text))
    zipped.set(text, bytes)
    return { body: new Blob([bytes]), headers: { ...headers, 'Content-Encoding': 'gzip' } }
  }
}
