/** Version 1.0.0 deprecated the older spellings. They end a year later (decisions.md §10). */
const since = new Date('2026-11-21T00:00:00Z')
const until = new Date('2027-11-21T00:00:00Z')

/** The headers of a response to a deprecated path or parameter (RFC 9745, RFC 8594). */
export const deprecationHeaders: Record<string, string> = {
  Deprecation: `@${since.getTime() / 1000}`,
  Sunset: until.toUTCString(),
}
