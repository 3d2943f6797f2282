import { useLocation } from 'preact-iso/router'
import { post } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'
import { sayCount } from '../../kit/format.ts'
import { Notice } from '../../kit/notice.tsx'
import { at } from '../../kit/settings.ts'
import type { Report } from './report.ts'

/** Nothing of a dry run is written: imports what it said, with the options that it was tried with. */
export const Apply = (report: Report) => {
  const { route } = useLocation()
  const { job_id, counts } = report
  const apply = async () => {
    const { job_id: id } = await post<{ job_id: string }>(`/internal/imports/${job_id}/apply`, undefined, {
      flat: true,
    })
    route(at(`/operations/imports/${id}`))
  }
  const isNothing = counts.changes === 0 && counts.pruned === 0
  const told = optionsOf(report)
  return (
    <>
      <Notice kind={counts.bad_rows > 0 ? 'warning' : 'info'}>
        Nothing is written yet.
        {counts.bad_rows > 0 && ` ${sayCount(counts.bad_rows, 'row')} refused.`}
        {isNothing && ' Nothing would change.'}
      </Notice>
      {told.length > 0 && <p>With these options: {told.join(', ')}.</p>}
      <Form
        label="Import"
        onSubmit={apply}
        beside={
          <a class="button" href={at('/operations/imports')}>
            Other options or another file
          </a>
        }
      />
    </>
  )
}

const optionsOf = ({ publish, parallels, overwrite, prune }: Report) => [
  ...(publish ? ['the sets are published'] : []),
  ...(parallels ? ['parallels become sets'] : []),
  ...(overwrite ? ['the file’s values replace corrections'] : []),
  ...(prune ? ['missing cards are deleted'] : []),
]
