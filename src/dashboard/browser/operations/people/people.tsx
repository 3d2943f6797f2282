import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { post } from '../../kit/api.ts'
import { Asked } from '../../kit/dialog.tsx'
import { sayName } from '../../kit/format.ts'
import { sayDay } from '../../kit/moments.ts'
import { Notice } from '../../kit/notice.tsx'
import type { Column } from '../../kit/table.tsx'
import { queryOf, useFilters } from '../address.ts'
import { Filters } from '../filters.tsx'
import { Listing, useListed } from '../listing.tsx'
import { OperatorPage } from '../operator-page.tsx'

/** An account, as operators see it. */
type Person = {
  id: string
  attributes: {
    email: string
    name: string | null
    operator: boolean
    plan: string | null
    sessions: number
    created_at: string
  }
}

type Change = 'promote' | 'demote' | 'sign-out' | 'close'

const roles = [
  { value: 'true', label: 'Operators' },
  { value: 'false', label: 'Others' },
]

/** Who has an account and who is an operator, with what operators can do about it. */
export const People = () => {
  const { filters, change, hrefOf } = useFilters('/operations/people', { operator: '', page: '1' })
  const read = useListed<Person>(
    `/internal/users?${queryOf({ 'filter[operator]': filters.operator, page: filters.page })}`,
  )
  const [told, setTold] = useState<string>()
  const doing = async (one: Change, { id, attributes: { email } }: Person) => {
    await post(`/internal/users/${id}/${one}`)
    setTold(`${email} ${outcomes[one]}`)
    read.reload()
  }
  return (
    <OperatorPage title="People">
      <Filters
        filters={filters}
        change={change}
        choices={{ operator: { label: 'Role', none: 'Everybody', options: roles } }}
      />
      {told && <Notice kind="good">{told}</Notice>}
      <Listing
        of={read}
        lines={10}
        caption="People"
        noun="person"
        nouns="people"
        hrefOf={hrefOf}
        empty="Nobody has an account like that."
        columns={columns(doing)}
      />
    </OperatorPage>
  )
}

const outcomes: Record<Change, string> = {
  promote: 'is an operator.',
  demote: 'is no longer an operator.',
  'sign-out': 'is signed out everywhere.',
  close: 'has no account anymore.',
}

type Doing = (one: Change, person: Person) => Promise<void>

const columns = (doing: Doing): Column<Person>[] => [
  {
    title: 'Person',
    cell: ({ attributes: { email, name } }) => (
      <>
        <bdi>{email}</bdi> {name && <bdi class="faint">{name}</bdi>}
      </>
    ),
  },
  { title: 'Role', cell: ({ attributes }) => (attributes.operator ? <span class="badge good">operator</span> : '–') },
  { title: 'Plan', cell: ({ attributes: { plan } }) => (plan ? sayName(plan) : '–') },
  { title: 'Sessions', cell: ({ attributes }) => attributes.sessions, isNumber: true },
  { title: 'Since', cell: ({ attributes }) => sayDay(attributes.created_at), isWhole: true },
  {
    title: 'Actions',
    cell: (person) => {
      const { email, operator } = person.attributes
      return (
        <div class="actions">
          {operator ? (
            <Act change="demote" label="Demote" doing={doing} person={person}>
              {email} becomes an account like others. Their tokens and clients lose what only operators may do.
            </Act>
          ) : (
            <Act change="promote" label="Promote" doing={doing} person={person}>
              {email} can then do everything that operators do.
            </Act>
          )}
          <Act change="sign-out" label="Sign out" doing={doing} person={person}>
            All sessions of {email} end. Keys, tokens and clients go on working.
          </Act>
          <Act change="close" label="Close" doing={doing} person={person}>
            The account of {email} is deleted with its key, tokens, clients and sessions, and its subscription is
            canceled. This can’t be undone.
          </Act>
        </div>
      )
    },
  },
]

type ActProps = { change: Change; label: string; doing: Doing; person: Person; children: ComponentChildren }

/** A button for a change, which asks first. A refusal, such as that of the last operator, is shown in the dialog. */
const Act = ({ change, label, doing, person, children }: ActProps) => (
  <Asked
    label={label}
    title={`${label} ${person.attributes.email}?`}
    kind="plain"
    button={
      <>
        {label}
        <span class="unseen"> {person.attributes.email}</span>
      </>
    }
    onConfirm={() => doing(change, person)}
  >
    <p>{children}</p>
  </Asked>
)
