import { useState } from 'preact/hooks'
import { lifetimes, sayDuration } from '../../../limits.ts'
import { get, post, remove } from '../kit/api.ts'
import { Copyable } from '../kit/copyable.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { Field, Form } from '../kit/form.tsx'
import { sayGiven } from '../kit/format.ts'
import { useLoaded } from '../kit/load.ts'
import { Empty, Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { ShownOnce } from '../kit/secret.tsx'
import { settings } from '../kit/settings.ts'
import { Table } from '../kit/table.tsx'
import { AccountPage } from './account-page.tsx'
import { credentialColumns } from './credential-columns.tsx'
import { chosenScope, ScopeChoice } from './scopes.tsx'

type Client = {
  client_id: string
  name: string
  scope: string
  internal_approved: boolean
  created_at: string
  last_used_at: string | null
}
type Made = Client & { client_secret: string }

const path = '/oauth/clients'

/** Machine clients: programs that get tokens with an id and a secret (OAuth client credentials). */
export const Clients = () => {
  const read = useLoaded((signal) => get<{ clients: Client[] }>(path, { signal }), path)
  const [made, setMade] = useState<Made>()
  const [ending, setEnding] = useState<Client>()
  const create = async (values: Record<string, string>) => {
    setMade(await post<Made>(path, { name: values.name, scope: chosenScope(values) }, { flat: true }))
    read.reload()
  }
  const end = async () => {
    await remove(`${path}/${ending?.client_id}`)
    if (made?.client_id === ending?.client_id) setMade(undefined)
    setEnding(undefined)
    read.reload()
  }
  return (
    <AccountPage title="Clients">
      <p class="lede">
        A client is a program with an id and a secret. It uses them to get tokens that work for{' '}
        {sayDuration(lifetimes.accessToken.seconds)} (OAuth client credentials).
      </p>
      {made && <MadeClient {...made} />}
      <Show of={read} lines={14}>
        {({ clients }) => (
          <>
            {clients.length === 0 ? (
              <Empty>You have no clients.</Empty>
            ) : (
              <Table
                caption="Your clients"
                rows={clients}
                keyOf={({ client_id }) => client_id}
                columns={[
                  { title: 'Name', cell: ({ name }) => name },
                  { title: 'Client id', cell: ({ client_id }) => <code>{client_id}</code> },
                  { title: 'Scopes', cell: (client) => <Scopes {...client} /> },
                  ...credentialColumns<Client>('Delete', setEnding),
                ]}
              />
            )}
            <Section title="New client">
              <Form key={made?.client_id} onSubmit={create} label="Create client">
                <Field
                  name="name"
                  label="Name"
                  required
                  maxLength={255}
                  hint="What it is for, such as price-watcher."
                />
                <ScopeChoice />
              </Form>
            </Section>
          </>
        )}
      </Show>
      {ending && (
        <Confirm
          title={`Delete ${sayGiven(ending.name)}?`}
          label="Delete client"
          onConfirm={end}
          onClose={() => setEnding(undefined)}
        >
          <p>Its secret and all its tokens stop working at once.</p>
        </Confirm>
      )}
    </AccountPage>
  )
}

const Scopes = ({ scope, internal_approved }: Client) => (
  <>
    <code>{scope}</code>{' '}
    {scope.split(' ').includes('internal') && (
      <span class={`badge ${internal_approved ? 'good' : 'warning'}`}>
        {internal_approved ? 'approved' : 'not approved yet'}
      </span>
    )}
  </>
)

const MadeClient = ({ client_id, client_secret, name }: Made) => (
  <>
    <ShownOnce text={client_secret} label={`the secret of ${sayGiven(name)}`} />
    <p>Its id:</p>
    <Copyable text={client_id} label="the client id" />
    <p>To get a token:</p>
    <Copyable
      text={`curl -u '${client_id}:${client_secret}' ${settings.origin}${settings.base}/oauth/token -d grant_type=client_credentials`}
      label="the command"
    />
  </>
)
