import { upload } from './upload.ts'

/** How a file is to be imported. `map` has a heading and its column in a line: `Crd Nmbr=number`. */
export type Options = Record<'publish' | 'parallels' | 'overwrite' | 'prune', boolean> & {
  map: string
  encoding: string
}

export const usualOptions: Options = {
  ...{ publish: false, parallels: false, overwrite: false, prune: false },
  ...{ map: '', encoding: '' },
}

/** The file that was last sent from this page, and how: it can be tried again otherwise for as long as the page is open. */
type Sent = { file: File; options: Options; id: string }

let last: Sent | undefined

/** What was sent as this import, if that was the last file. */
export const lastSent = (id?: string) => (id === undefined || last?.id === id ? last : undefined)

/** Sends a file to be tried: nothing of it is written yet. Answers the id of the report. */
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
