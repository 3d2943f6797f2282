import { useState } from 'preact/hooks'
import { get, post } from '../../kit/api.ts'
import { optionsOf } from '../../kit/form.tsx'
import { sayMoment } from '../../kit/moments.ts'
import { Notice, sayFailure } from '../../kit/notice.tsx'
import { nouns, RecordLink } from '../../kit/records.tsx'
import type { Column } from '../../kit/table.tsx'
import { useAct } from '../../kit/use-action.ts'
import { queryOf, useFilters } from '../address.ts'
import { Filters } from '../filters.tsx'
import { Listing, useListed } from '../listing.tsx'
import { OperatorPage } from '../operator-page.tsx'

const types = ['cards', 'sets', 'players', 'teams'] as const
type DeletedType = (typeof types)[number]

type DeletedRecord = {
  type: DeletedType
  id: string
  attributes: { name: string; deleted_at: string }
  relationships?: { set?: { data: { id: string } } }
}

type Revision = { id: string; attributes: { changes: { deleted?: { after: unknown } } } }

/** Lists deleted records of a type, the latest deletion first, each with a button that restores it. */
export const Deleted = () => {
  const { filters, hrefOf, change } = useFilters('/operations/deleted', { type: 'cards', page: '1' })
  const type = types.find((one) => one === filters.type) ?? 'cards'
  const asked = queryOf({ 'filter[status]': 'deleted', page: filters.page, include: type === 'cards' ? 'set' : '' })
  const read = useListed<DeletedRecord>(`/v1/${type}?${asked}`)
  const sets = new Map(
    ((read.value as { included?: DeletedRecord[] } | undefined)?.included ?? []).map((set) => [set.id, set.attributes]),
  )
  const [restored, setRestored] = useState<DeletedRecord>()
  const columns: Column<DeletedRecord>[] = [
    { title: 'Name', cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
    ...(type === 'cards'
      ? [{ title: 'Set', cell: (card: DeletedRecord) => <SetOf id={card.relationships?.set?.data.id} sets={sets} /> }]
      : []),
    { title: 'Deleted', cell: ({ attributes }) => sayMoment(attributes.deleted_at), isWhole: true },
    {
      title: 'Restore',
      cell: (record) => (
        <Restore
          record={record}
          done={() => {
            setRestored(record)
            read.reload()
          }}
        />
      ),
    },
  ]
  return (
    <OperatorPage title="Deleted" lede="A record comes back with everything that was deleted with it.">
      <Filters
        filters={{ ...filters, type }}
        change={change}
        choices={{ type: { label: 'Type', options: optionsOf(types) } }}
      />
      {restored && (
        <Notice kind="good">
          <RecordLink type={restored.type} id={restored.id} name={restored.attributes.name} /> is restored.
        </Notice>
      )}
      <Listing
        of={read}
        lines={10}
        caption={`Deleted ${type}`}
        noun={`deleted ${nouns[type]}`}
        hrefOf={hrefOf}
        empty={`There are no deleted ${type}.`}
        columns={columns}
      />
    </OperatorPage>
  )
}

/** A card's set. One that was deleted, too, must come back first, and brings its cards. */
const SetOf = ({ id = '', sets }: { id: string | undefined; sets: Map<string, { name: string }> }) => {
  const set = sets.get(id)
  return set ? <RecordLink type="sets" id={id} name={set.name} /> : <span class="faint">deleted, too</span>
}

/** A button that reverts a record's deletion, or says why that isn't possible. */
const Restore = ({ record: { type, id, attributes }, done }: { record: DeletedRecord; done: () => void }) => {
  const { act, failure, isBusy } = useAct()
  return (
    <>
      <button type="button" aria-disabled={isBusy} onClick={() => act(() => restore(type, id).then(done))}>
        Restore<span class="unseen"> {attributes.name}</span>
      </button>
      {failure && <Notice kind="bad">{sayFailure(failure)}</Notice>}
    </>
  )
}

/** Reverts the revision that deleted a record. That is its latest one, since nobody changes what is deleted. */
const restore = async (type: DeletedType, id: string) => {
  const { data } = await get<{ data: Revision[] }>(`/v2/${type}/${id}/revisions`)
  const revision = data.find(({ attributes }) => attributes.changes.deleted?.after === true)
  await post('/internal/reverts', { object_type: type, object_id: id, revision: revision?.id ?? '' }, { flat: true })
}
