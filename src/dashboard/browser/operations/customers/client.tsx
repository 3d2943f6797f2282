import { useAnswer } from '../../kit/answer.ts'
import { patch } from '../../kit/api.ts'
import { Asked } from '../../kit/dialog.tsx'
import { FactList } from '../../kit/fact.tsx'
import { sayDay, sayMoment } from '../../kit/moments.ts'
import { Show } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { at } from '../../kit/settings.ts'
import { historyOf } from '../audit/audit-names.ts'
import { OperatorPage } from '../operator-page.tsx'
import { ClientLimit } from './client-limit.tsx'
import { type ChangeClient, type Client, InternalBadge } from './client-terms.tsx'

/** One machine client: its approval for the internal scope, and its rate limit. */
export const ClientPage = ({ id }: { id: string }) => {
  const path = `/internal/clients/${id}`
  const read = useAnswer<{ data: Client }>(path)
  const change: ChangeClient = (attributes) =>
    patch(path, { data: { type: 'oauth_clients', id, attributes } }).then(read.reload)
  return (
    <OperatorPage title="Client" actions={<a href={at('/operations/clients')}>All clients</a>}>
      <Show of={read} lines={12}>
        {({ data }) => (
          <>
            <Facts {...data} />
            <Approval terms={data.attributes} change={change} />
            <ClientLimit terms={data.attributes} change={change} />
          </>
        )}
      </Show>
    </OperatorPage>
  )
}

const Facts = ({ id, attributes: { name, scope, email, created_at, last_used_at } }: Client) => (
  <FactList
    facts={[
      ['Name', name || '–'],
      ['Client id', <code key="id">{id}</code>],
      ['Owner', email],
      ['Scopes', <code key="scope">{scope}</code>],
      ['Created', sayDay(created_at)],
      ['Last used', sayMoment(last_used_at, 'never')],
      [
        'Changes',
        <a key="changes" href={at(historyOf('client', id))}>
          Show in the audit log
        </a>,
      ],
    ]}
  />
)

const Approval = ({ terms, change }: { terms: Client['attributes']; change: ChangeClient }) => (
  <Section title="Access to /internal">
    <p>
      <InternalBadge {...terms} />
    </p>
    {terms.internal_approved ? (
      <Asked
        label="Withdraw approval"
        title={`Withdraw approval of ${terms.name}?`}
        onConfirm={() => change({ internal_approved: false })}
      >
        <p>All of its access tokens stop working right away. New ones come without the internal scope.</p>
      </Asked>
    ) : (
      <Asked
        label="Approve for internal"
        title={`Approve ${terms.name} for internal?`}
        onConfirm={() => change({ internal_approved: true })}
      >
        <p>
          It can then get tokens for everything under /internal and do what operators do. Its current tokens stop
          working.
        </p>
      </Asked>
    )}
  </Section>
)
