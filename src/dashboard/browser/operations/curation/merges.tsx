import { useState } from 'preact/hooks'
import { lifetimes, sayDuration } from '../../../../limits.ts'
import { optionsOf } from '../../kit/form.tsx'
import { sayMoment } from '../../kit/moments.ts'
import { Notice } from '../../kit/notice.tsx'
import { nouns, placeOf, type RecordType } from '../../kit/records.tsx'
import { at } from '../../kit/settings.ts'
import { queryOf, useFilters } from '../address.ts'
import { Filters } from '../filters.tsx'
import { Listing, useListed } from '../listing.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { UndoMerge } from './undo-merge.tsx'

type Merge = {
  id: string
  attributes: {
    object_type: RecordType
    from_ids: string[]
    into_id: string
    note: string | null
    agent_id: string | null
    created_at: string
  }
  meta: { into_name: string | null; from_names: (string | null)[]; agent_name: string | null }
}

/** Lists what was merged, by whom and when, with a button to undo each merge. */
export const Merges = () => {
  const { filters, hrefOf, change } = useFilters('/operations/merges', { type: '', page: '1' })
  const asked = queryOf({ 'filter[object_type]': filters.type, page: filters.page })
  const read = useListed<Merge>(`/internal/merges?${asked}`)
  const [undone, setUndone] = useState<string>()
  return (
    <OperatorPage
      title="Merges"
      lede={`You can undo a merge for ${sayDuration(lifetimes.undo.seconds)}, as long as nothing it moved has changed.`}
      actions={
        <>
          <a href={at('/operations/duplicates')}>Duplicates</a>
          <a class="button" href={at('/operations/merge')}>
            Merge records…
          </a>
        </>
      }
    >
      <Filters
        filters={filters}
        change={change}
        choices={{ type: { label: 'Type', none: 'All types', options: optionsOf(Object.keys(nouns)) } }}
      />
      {undone && <Notice kind="good">{undone} is a separate record again.</Notice>}
      <Listing
        of={read}
        lines={10}
        caption="Merges"
        noun="merge"
        hrefOf={hrefOf}
        empty={
          <>
            Nothing has been merged. <a href={at('/operations/duplicates')}>Look for duplicates</a>, or open a record’s
            page and choose “Merge…”.
          </>
        }
        columns={[
          { title: 'Merged', cell: ({ attributes, meta }) => <From names={meta.from_names} {...attributes} /> },
          { title: 'Into', cell: (one) => <Into {...one} /> },
          { title: 'Note', cell: ({ attributes }) => attributes.note ?? '–' },
          { title: 'By', cell: ({ attributes, meta }) => meta.agent_name ?? attributes.agent_id ?? '–' },
          { title: 'When', cell: ({ attributes }) => sayMoment(attributes.created_at), isWhole: true },
          {
            title: 'Undo',
            cell: (one) => (
              <UndoMerge
                id={one.id}
                of={sayFrom(one.meta.from_names)}
                done={() => {
                  setUndone(sayFrom(one.meta.from_names))
                  read.reload()
                }}
              />
            ),
          },
        ]}
      />
    </OperatorPage>
  )
}

const sayFrom = (names: (string | null)[]) => names.map((name) => name ?? 'a record').join(', ')

const From = ({ names, object_type, from_ids }: { names: (string | null)[] } & Merge['attributes']) => (
  <>
    <bdi>{sayFrom(names)}</bdi>{' '}
    <span class="faint">{from_ids.length > 1 ? `${from_ids.length} ${object_type}` : nouns[object_type]}</span>
  </>
)

const Into = ({ attributes: { object_type, into_id }, meta: { into_name } }: Merge) => {
  const href = placeOf(object_type, into_id)
  const name = <bdi>{into_name ?? into_id}</bdi>
  return href ? <a href={href}>{name}</a> : name
}
