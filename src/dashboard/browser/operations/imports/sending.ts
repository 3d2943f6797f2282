import { upload } from './upload.ts'

/** Options for importing a file. Each line of `map` is a heading and its column, such as `Crd Nmbr=number`. */
export type Options = Record<'publish' | 'parallels' | 'overwrite' | 'prune', boolean> & {
  map: string
  encoding: string
}

export const usualOptions: Options = {
  ...{ publish: false, parallels: false, overwrite: false, prune: false },
  ...{ map: '', encoding: '' },
}

/** The last file sent from this page, and its options. While the page is open, it can be sent again with other options. */
type Sent = { file: File; options: Options; id: string }

let last: Sent | undefined

/** The last file sent, if it was sent as this import. */
export const lastSent = (id?: string) => (id === undefined || last?.id === id ? last : undefined)

/** Sends a file for a dry run, which writes nothing. Returns the report's id. */
export const tryFile = async (file: File, options: Options, tell: (bytes: number) => void): Promise<string> => {
  const { map, encoding, ...flags } = options
  const query = new URLSearchParams({ dry_run: 'true' })
  for (const [name, isOn] of Object.entries(flags)) if (isOn) query.set(name, 'true')
  for (const line of map.split('\n')) if (line.trim()) query.append('map', line.trim())
  if (encoding.trim()) query.set('encoding', encoding.trim())
  const { job_id } = await upload<{ job_id: string }>(`/internal/imports?${query}`, file, tell)
  last = { file, options, id: job_id }
  return job_id
}
