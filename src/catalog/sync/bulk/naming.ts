/** The name under which the file of a resource is kept and downloaded. */
export const fileName = (resource: string) => `${resource}.ndjson.gz`

/** The media type of every bulk file. */
export const contentType = 'application/gzip'
