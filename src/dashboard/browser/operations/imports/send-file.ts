import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { asRefused, type Refused } from '../../kit/api.ts'
import { at } from '../../kit/settings.ts'
import { notAChecklist } from './not-a-checklist.ts'
import { type Options, tryFile } from './sending.ts'

/** What an import accepts, in a sentence. */
export const accepted =
  'You can import CSV, TSV, a workbook (.xlsx), JSON Lines, a release, Scryfall or pokemon-tcg-data files, or a .zip or .tar of them.'

/** Sends a file for a dry run and opens its report, unless the user has gone to another page by then. */
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
  return { send, sending, failed, refused }
}

export type Sending = ReturnType<typeof useSending>
