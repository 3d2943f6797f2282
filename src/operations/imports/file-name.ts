const longest = 255

/**
 * The file name in a Content-Disposition header (RFC 6266), preferring `filename*` over `filename`. Folders are kept, since a
 * checklist's name may tell its release, and its path its genre and year. `checklist` if there is no readable name.
 */
export const fileNameOf = (header: string | null): string => {
  const name = (header && (extended(header) ?? plain(header)))?.replace(/\\/g, '/').replace(/\p{Cc}/gu, '')
  return name?.trim() ? [...name.trim().toWellFormed()].slice(-longest).join('') : 'checklist'
}

const extended = (header: string) => {
  const [, encoded] = /;\s*filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(header) ?? []
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

const plain = (header: string) => {
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(header) ?? []
  return quoted?.replace(/\\(.)/g, '$1') ?? bare
}
