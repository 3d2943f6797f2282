import { useState } from 'preact/hooks'
import { remove } from '../../kit/api.ts'
import { Asked } from '../../kit/dialog.tsx'
import { sayGiven, sayNumber } from '../../kit/format.ts'
import { sayDay, sayMoment } from '../../kit/moments.ts'
import { Section } from '../../kit/page.tsx'
import { at } from '../../kit/settings.ts'
import type { Column } from '../../kit/table.tsx'
import { useFilters } from '../address.ts'
import { historyOf } from '../audit/audit-names.ts'
import { Listing, useListed } from '../listing.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { IssuedInvite, type MadeInvite, NewInvite } from './new-invite.tsx'

type Invite = {
  id: string
  attributes: {
    label: string | null
    email: string | null
    max_uses: number
    claims: number
    holds: number
    status: 'usable' | 'exhausted' | 'expired' | 'revoked'
    expires_at: string | null
    created_at: string
  }
}

/** Lists invites and their uses, creates new ones and shows their code, and revokes them. */
export const Invites = () => {
  const { filters, hrefOf } = useFilters('/operations/invites', { page: '1' })
  const read = useListed<Invite>(`/internal/invites?page=${encodeURIComponent(filters.page)}`)
  const [made, setMade] = useState<MadeInvite>()
  const keep = (invite: MadeInvite) => {
    setMade(invite)
    read.reload()
  }
  const end = async ({ id }: Invite) => {
    await remove(`/internal/invites/${id}`)
    if (made?.id === id) setMade(undefined)
    read.reload()
  }
  return (
    <OperatorPage title="Invites">
      {made && <IssuedInvite {...made} />}
      <Listing
        of={read}
        caption="Invites"
        noun="invite"
        hrefOf={hrefOf}
        empty="There are no invites."
        columns={columns(end)}
      />
      {(read.value || read.failure) && (
        <Section title="New invite">
          <NewInvite key={made?.id} onMade={keep} />
        </Section>
      )}
    </OperatorPage>
  )
}

const columns = (end: (invite: Invite) => Promise<void>): Column<Invite>[] => [
  { title: 'Label', cell: ({ attributes }) => attributes.label ?? '–' },
  { title: 'For', cell: ({ attributes }) => attributes.email ?? 'anyone' },
  {
    title: 'Status',
    cell: ({ attributes: { status } }) => <span class={`badge ${kinds[status]}`}>{status}</span>,
  },
  { title: 'Used', cell: ({ attributes }) => <Uses {...attributes} /> },
  { title: 'Expires', cell: ({ attributes }) => sayMoment(attributes.expires_at, 'never'), isWhole: true },
  {
    title: 'Created',
    isWhole: true,
    cell: (invite) => (
      <a href={at(historyOf('invite', invite.id))}>
        {sayDay(invite.attributes.created_at)}
        <span class="unseen">: audit log for {nameOf(invite)}</span>
      </a>
    ),
  },
  {
    title: 'Actions',
    isWhole: true,
    cell: (invite) =>
      invite.attributes.status !== 'revoked' && (
        <Asked
          button={
            <>
              Revoke<span class="unseen"> {nameOf(invite)}</span>
            </>
          }
          title={`Revoke ${sayGiven(nameOf(invite))}?`}
          label="Revoke invite"
          onConfirm={() => end(invite)}
        >
          <p>Nobody can sign up with its code anymore. Existing accounts stay.</p>
        </Asked>
      ),
  },
]

const kinds = { usable: 'good', exhausted: '', expired: 'warning', revoked: 'bad' } as const

const Uses = ({ claims, holds, max_uses }: Invite['attributes']) => (
  <span>
    {sayNumber(claims)} of {sayNumber(max_uses)}
    {holds > 0 && `, ${sayNumber(holds)} not yet verified`}
  </span>
)

const nameOf = ({ attributes: { label, email, created_at } }: Invite) =>
  label ? `“${label}”` : `the invite for ${email ?? 'anyone'} from ${sayMoment(created_at)}`
