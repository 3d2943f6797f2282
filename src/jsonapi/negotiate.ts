/** The media type of JSON:API (RFC 6838 name `vnd.api+json`). */
export const jsonApi = 'application/vnd.api+json'

type MediaType = { name: string; parameters: Map<string, string> }

/** Splits a header at commas or semicolons outside of quotes. */
const splitOutsideQuotes = (text: string, separator: ',' | ';') => {
  const parts: string[] = []
  let part = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (quoted && letter === '\\') part += letter + text.charAt(++at)
    else {
      if (letter === '"') quoted = !quoted
      if (letter === separator && !quoted) {
        parts.push(part)
        part = ''
      } else part += letter
    }
  }
  return [...parts, part]
}

const readMediaType = (text: string): MediaType => {
  const [name = '', ...parameters] = splitOutsideQuotes(text, ';').map((part) => part.trim())
  return {
    name: name.toLowerCase(),
    parameters: new Map(
      parameters.filter(Boolean).map((parameter) => {
        const [key = '', ...value] = parameter.split('=')
        return [key.trim().toLowerCase(), value.join('=').trim().replace(/^"|"$/g, '')]
      }),
    ),
  }
}

/**
 * Whether a Content-Type is one of the accepted media types. JSON:API's may have a `profile`, which servers may ignore, and an
 * `ext` with extensions that the endpoint knows, but no other parameter. JSON's may have a charset.
 */
export const acceptsContent = (contentType: string | null, accepted: string[], extensions: string[] = []) => {
  if (!contentType) return false
  if (accepted.includes(contentType)) return true
  const { name, parameters } = readMediaType(contentType)
  return accepted.includes(name) && (name !== jsonApi || (isKnown(parameters, extensions) && !parameters.has('q')))
}

/**
 * Whether a request speaks plain JSON: its body is `application/json`, and its Accept names that and not JSON:API. Any other is
 * held to JSON:API's rules, which refuse such a body.
 */
export const speaksPlainJson = (headers: Headers) => {
  const accepted = splitOutsideQuotes(headers.get('accept') ?? '', ',').map((range) => readMediaType(range).name)
  return (
    acceptsContent(headers.get('content-type'), ['application/json']) &&
    accepted.includes('application/json') &&
    !accepted.includes(jsonApi)
  )
}

/**
 * Whether an Accept header can be served with JSON:API (1.1, Server Responsibilities): there is no header, or a media range
 * matches and its `q` isn't 0. The most specific range decides (RFC 9110). JSON:API ranges with foreign parameters or unknown
 * extensions don't count. Whoever accepts any JSON and doesn't mention JSON:API gets it, too (decisions.md §19).
 */
export const acceptsJsonApi = (accept: string | null) => {
  if (!accept?.trim() || accept === jsonApi || accept === '*/*') return true
  const ranges = splitOutsideQuotes(accept, ',').map(readMediaType)
  const isMentioned = ranges.some(({ name }) => name === jsonApi)
  for (const wanted of [jsonApi, ...(isMentioned ? [] : ['application/json']), 'application/*', '*/*']) {
    const matching = ranges.filter(
      ({ name, parameters }) => name === wanted && (name !== jsonApi || isKnown(parameters, [])),
    )
    if (matching.length > 0) return matching.some(({ parameters }) => Number(parameters.get('q') || 1) !== 0)
  }
  return false
}

/** Whether an Accept header prefers HTML to JSON, as a browser's does when it opens a page. */
export const prefersHtml = (accept: string | null) => {
  const ranges = splitOutsideQuotes(accept ?? '', ',').map(readMediaType)
  const weightOf = (wanted: string) => {
    const range = ranges.find(({ name }) => name === wanted)
    return range ? Number(range.parameters.get('q') || 1) : 0
  }
  const html = weightOf('text/html')
  return html > 0 && html >= Math.max(weightOf(jsonApi), weightOf('application/json'))
}

/** Whether a JSON:API Content-Type applies an extension. */
export const appliesExtension = (contentType: string | null, extension: string) =>
  (readMediaType(contentType ?? '').parameters.get('ext') ?? '').split(/\s+/).includes(extension)

/** Whether an Accept header allows a response that applies an extension: it names the extension, or accepts any type. */
export const acceptsExtension = (accept: string | null, extension: string) => {
  if (!accept?.trim()) return true
  const ranges = splitOutsideQuotes(accept, ',').map(readMediaType)
  const isMentioned = ranges.some(({ name }) => name === jsonApi)
  const others = ['*/*', 'application/*', ...(isMentioned ? [] : ['application/json'])]
  return ranges.some(({ name, parameters }) => {
    const isWanted = Number(parameters.get('q') || 1) !== 0
    if (name !== jsonApi) return isWanted && others.includes(name)
    const named = (parameters.get('ext') ?? '').split(/\s+/)
    return isWanted && isKnown(parameters, [extension]) && named.includes(extension)
  })
}

const isKnown = (parameters: MediaType['parameters'], extensions: string[]) =>
  [...parameters].every(([key, value]) =>
    key === 'ext'
      ? value.split(/\s+/).every((one) => !one || extensions.includes(one))
      : key === 'profile' || key === 'q',
  )
