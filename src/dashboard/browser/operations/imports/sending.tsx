import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { asRefused, type Refused } from '../../kit/api.ts'
import { Failure, Notice } from '../../kit/notice.tsx'
import { Progress } from '../../kit/progress.tsx'
import { at } from '../../kit/settings.ts'
import { notAChecklist } from './not-a-checklist.ts'
import { upload } from './upload.ts'

/** What an import accepts, in a sentence. */
export const accepted =
  'You can import CSV, TSV, a workbook (.xlsx), JSON Lines, a release, Scryfall or pokemon-tcg-data files, open checklists in YAML, or a .zip or .tar of them.'

/**
 * Sends a file for a dry run and opens its report, unless the user has gone to another page by then. `state` shows how much of it
 * is sent, or why it wasn't.
 */
export const useSending = () => {
  const { route } = useLocation()
  const [sending, setSending] = useState<{ name: string; done: number; of: number }>()
  const [failed, setFailed] = useState<{ again: () => void; failure: Refused }>()
  const [refused, setRefused] = useState<string>()
  const send = async (file: File, options: Options) => {
    const here = location.pathname
    setRefused(undefined)
    setFailed(undefined)
    const what = await notAChecklist(file)
    if (what) return setRefused(`${file.name} is ${what}. ${accepted}`)
    const tell = (done: number) => setSending({ name: file.name, done: Math.min(done, file.size), of: file.size })
    tell(0)
    try {
      const id = await tryFile(file, options, tell)
      if (location.pathname === here) route(`${at('/operations/imports')}/${id}`)
    } catch (error) {
      setFailed({ failure: asRefused(error), again: () => void send(file, options) })
    }
    setSending(undefined)
  }
  const state = (
    <>
      {refused && <Notice kind="bad">{refused}</Notice>}
      {failed && <Failure failure={failed.failure} retry={failed.again} />}
      {sending && <Progress label={`Sending ${sending.name} (bytes)`} done={sending.done} of={sending.of} />}
    </>
  )
  return { send, isBusy: sending !== undefined, state }
}

/** Options for importing a file. Each line of `map` is a heading and its column, such as `Crd Nmbr=number`. */
export type Options = Record<'publish' | 'parallels' | 'overwrite' | 'prune' | 'clear_missing' | 'hidden', boolean> & {
  map: string
  encoding: string
}

export const usualOptions: Options = {
  publish: false,
  parallels: false,
  overwrite: false,
  prune: false,
  clear_missing: false,
  hidden: false,
  map: '',
  encoding: '',
}

/** The last file sent from this page, and its options. While the page is open, it can be sent again with other options. */
type Sent = { file: File; options: Options; id: string }

let last: Sent | undefined

/** The last file sent, if it was sent as this import. */
export const lastSent = (id?: string) => (id === undefined || last?.id === id ? last : undefined)

/** Sends a file for a dry run, which writes nothing. Returns the report's id. */
const tryFile = async (file: File, options: Options, tell: (bytes: number) => void): Promise<string> => {
  const { map, encoding, ...flags } = options
  const query = new URLSearchParams({ dry_run: 'true' })
  for (const [name, isOn] of Object.entries(flags)) if (isOn) query.set(name, 'true')
  for (const line of map.split('\n')) if (line.trim()) query.append('map', line.trim())
  if (encoding.trim()) query.set('encoding', encoding.trim())
  const { job_id } = await upload<{ job_id: string }>(`/internal/imports?${query}`, file, tell)
  last = { file, options, id: job_id }
  return job_id
}
