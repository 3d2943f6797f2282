import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Refused } from '../../kit/api.ts'
import { Choice } from '../../kit/form.tsx'
import { Failure, Notice } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { Progress } from '../../kit/progress.tsx'
import { at } from '../../kit/settings.ts'
import { useFilters } from '../address.ts'
import { DropZone } from '../drop-zone.tsx'
import { JobList } from '../jobs/job-list.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { notAChecklist } from './not-a-checklist.ts'
import { upload } from './upload.ts'

const takes =
  'The import takes CSV, TSV, a workbook (.xlsx), JSON Lines, a release, Scryfall or pokemon-tcg-data, or a .zip or .tar of them.'

const here = at('/operations/imports')

/** Sends a checklist to be imported, and lists the imports of before. */
export const Imports = () => {
  const { route } = useLocation()
  const { filters, hrefOf } = useFilters('/operations/imports', { page: '1' })
  const [publish, setPublish] = useState(false)
  const [parallels, setParallels] = useState(false)
  const [sent, setSent] = useState<{ name: string; done: number; of: number }>()
  const [failed, setFailed] = useState<{ file: File; failure: Refused }>()
  const [refused, setRefused] = useState<string>()
  const send = async (file: File) => {
    setRefused(undefined)
    const what = await notAChecklist(file)
    if (what) return setRefused(`${file.name} is ${what}. ${takes}`)
    const tell = (done: number) => setSent({ name: file.name, done: Math.min(done, file.size), of: file.size })
    tell(0)
    setFailed(undefined)
    try {
      const query = `publish=${publish}&parallels=${parallels}`
      const { job_id } = await upload<{ job_id: string }>(`/internal/imports?${query}`, file, tell)
      // Who went on to another page meanwhile is left there.
      if (location.pathname === here) route(`${here}/${job_id}`)
    } catch (error) {
      setFailed({ file, failure: error as Refused })
      setSent(undefined)
    }
  }
  return (
    <OperatorPage title="Imports">
      <Choice label="Publish the sets of the checklist" checked={publish} onChange={setPublish} />
      <Choice label="Make sets of parallels and variations" checked={parallels} onChange={setParallels} />
      <DropZone
        label="Drop a checklist here, or choose a file"
        hint={`${takes} It is imported at once.`}
        onFile={send}
        isBusy={sent !== undefined}
      />
      {refused && <Notice kind="bad">{refused}</Notice>}
      {failed && <Failure failure={failed.failure} retry={() => send(failed.file)} />}
      {sent && <Progress label={`Sending ${sent.name} (bytes)`} done={sent.done} of={sent.of} />}
      <Section title="Imports so far">
        <JobList
          name="catalog_import"
          page={filters.page}
          hrefOf={(page) => hrefOf({ page: String(page) })}
          empty="Nothing was imported lately."
        />
      </Section>
    </OperatorPage>
  )
}
