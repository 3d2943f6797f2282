import { useState } from 'preact/hooks'
import { Select } from '../../kit/form.tsx'
import { Section } from '../../kit/page.tsx'
import { at } from '../../kit/settings.ts'
import { type Report, unreadRule } from './report.ts'
import { lastSent, useSending } from './sending.tsx'

/** What a heading can mean (docs/imports.md). */
const columns = [
  'number',
  'player',
  'team',
  'set',
  'parent_set',
  'subset',
  'parallel',
  'year',
  'genre',
  'title',
  'attributes',
  'print_run',
  'notes',
  'manufacturer',
  'brand',
]

const options = columns.map((value) => ({ value, label: value.replaceAll('_', ' ') }))

/** The file's unread columns. Users can say what they mean and run it again. */
export const Unread = ({ job_id, notes, dry_run }: Report) => {
  const [meant, setMeant] = useState<Record<string, string>>({})
  const { send, state } = useSending()
  const headings = [
    ...new Set(notes.flatMap(({ rule, examples }) => (rule === unreadRule ? examples.map(({ text }) => text) : []))),
  ]
  if (headings.length === 0) return null
  const last = dry_run ? lastSent(job_id) : undefined
  const lines = Object.entries(meant).flatMap(([heading, column]) => (column ? `${heading}=${column}` : []))
  const again = () =>
    last && send(last.file, { ...last.options, map: [last.options.map, ...lines].filter(Boolean).join('\n') })
  return (
    <Section title="Unread columns">
      {last ? (
        <>
          <div class="inline filters">
            {headings.map((heading, place) => (
              <Select
                key={heading}
                name={`heading-${place}`}
                label={`Read “${heading}” as`}
                none="ignore"
                options={options}
                value={meant[heading] ?? ''}
                onChange={(column) => setMeant({ ...meant, [heading]: column })}
              />
            ))}
            <button type="button" aria-disabled={lines.length === 0} onClick={() => lines.length > 0 && again()}>
              Try again
            </button>
          </div>
          {state}
        </>
      ) : (
        <>
          <p>{headings.join(', ')}</p>
          {dry_run && (
            <p class="faint">
              To say what they mean, <a href={at('/operations/imports')}>send the file again</a> and open “How the file
              is read”.
            </p>
          )}
        </>
      )}
    </Section>
  )
}
