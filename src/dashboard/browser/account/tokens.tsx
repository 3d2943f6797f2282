import { useState } from 'preact/hooks'
import { get, post, remove } from '../kit/api.ts'
import { Confirm } from '../kit/dialog.tsx'
import { Field, Form } from '../kit/form.tsx'
import { sayGiven } from '../kit/format.ts'
import { useLoaded } from '../kit/load.ts'
import { Empty, Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { ShownOnce } from '../kit/secret.tsx'
import { Table } from '../kit/table.tsx'
import { AccountPage } from './account-page.tsx'
import { credentialColumns } from './credential-columns.tsx'
import { chosenScope, ScopeChoice } from './scopes.tsx'

type Token = { id: string; name: string; scope: string; created_at: string; last_used_at: string | null }

const path = '/oauth/tokens'

/** Personal access tokens: made here with chosen scopes, valid until they are revoked. */
export const Tokens = () => {
  const read = useLoaded((signal) => get<{ tokens: Token[] }>(path, { signal }), path)
  const [made, setMade] = useState<Token & { token: string }>()
  const [ending, setEnding] = useState<Token>()
  const create = async (values: Record<string, string>) => {
    setMade(
      await post<Token & { token: string }>(path, { name: values.name, scope: chosenScope(values) }, { flat: true }),
    )
    read.reload()
  }
  const end = async () => {
    await remove(`${path}/${ending?.id}`)
    if (made?.id === ending?.id) setMade(undefined)
    setEnding(undefined)
    read.reload()
  }
  return (
    <AccountPage title="Tokens">
      <p class="lede">A personal access token works until you revoke it, with the scopes you gave it.</p>
      {made && <ShownOnce text={made.token} label={`the token ${sayGiven(made.name)}`} />}
      <Show of={read} lines={14}>
        {({ tokens }) => (
          <>
            {tokens.length === 0 ? (
              <Empty>You have no tokens.</Empty>
            ) : (
              <Table
                caption="Your tokens"
                rows={tokens}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Name', cell: ({ name }) => name },
                  { title: 'Scopes', cell: ({ scope }) => <code>{scope}</code> },
                  ...credentialColumns<Token>('Revoke', setEnding),
                ]}
              />
            )}
            <Section title="New token">
              <Form key={made?.id} onSubmit={create} label="Create token">
                <Field name="name" label="Name" required maxLength={255} hint="Where it is used, such as laptop." />
                <ScopeChoice without="internal" />
              </Form>
            </Section>
          </>
        )}
      </Show>
      {ending && (
        <Confirm
          title={`Revoke ${sayGiven(ending.name)}?`}
          label="Revoke token"
          onConfirm={end}
          onClose={() => setEnding(undefined)}
        >
          <p>It stops working at once.</p>
        </Confirm>
      )}
    </AccountPage>
  )
}
