import { useLocation } from 'preact-iso/router'
import { post } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'
import { sayCount } from '../../kit/format.ts'
import { Notice } from '../../kit/notice.tsx'
import { at } from '../../kit/settings.ts'
import type { Report } from './report.ts'

/** Shown after a dry run, which writes nothing. Its button imports the file with the same options. */
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
  const chosen = optionsOf(report)
  return (
    <>
      <Notice kind={counts.bad_rows > 0 ? 'warning' : 'info'}>
        Nothing has been written yet.
        {counts.bad_rows > 0 && ` ${sayCount(counts.bad_rows, 'row')} refused.`}
        {isNothing && ' Nothing would change.'}
      </Notice>
      {chosen.length > 0 && <p>Options: {chosen.join(', ')}.</p>}
      <Form
        label="Import"
        onSubmit={apply}
        beside={
          <a class="button" href={at('/operations/imports')}>
            Change options or file
          </a>
        }
      />
    </>
  )
}

const optionsOf = ({ publish, parallels, overwrite, prune, clear_missing }: Report) => [
  ...(publish ? ['publish the sets'] : []),
  ...(parallels ? ['create sets for parallels'] : []),
  ...(overwrite ? ['replace people’s corrections'] : []),
  ...(prune ? ['delete missing cards'] : []),
  ...(clear_missing ? ['clear fields without a column'] : []),
]
