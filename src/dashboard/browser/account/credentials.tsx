import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Scope, scopes } from '../../../lib/scopes.ts'
import { useAnswer } from '../kit/answer.ts'
import { post, remove } from '../kit/api.ts'
import { Asked } from '../kit/dialog.tsx'
import { Field, Form, type Values } from '../kit/form.tsx'
import { sayGiven, sayName } from '../kit/format.ts'
import { sayDay, sayMoment } from '../kit/moments.ts'
import { Empty, Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { settings } from '../kit/settings.ts'
import { type Column, Table } from '../kit/table.tsx'
import { AccountPage } from './account-page.tsx'

/** A client or a token, without its secret. */
export type Credential = { name: string; scope: string; created_at: string; last_used_at: string | null }

type CredentialsProps<T, Made> = {
  noun: 'client' | 'token'
  /** What these are for. */
  lede: string
  idOf: (one: T) => string
  /** Columns in addition to the name and the times. */
  columns: Column<T>[]
  /** Shows a new one with its secret, only once. */
  secretOf: (made: Made) => ComponentChildren
  /** The hint below the name field. */
  hint: string
  without?: Scope
  /** The word for ending one, and what that does. */
  end: { word: string; means: string }
}

/** The page for one kind of credentials: lists them, creates them with chosen scopes, and ends them. */
export const Credentials = <T extends Credential, Made extends T>(props: CredentialsProps<T, Made>) => {
  const { noun, lede, idOf, columns, secretOf, hint, without, end } = props
  const nouns = `${noun}s`
  const path = `/oauth/${nouns}`
  const read = useAnswer<Record<string, T[]>>(path)
  const [made, setMade] = useState<Made>()
  const create = async (values: Values) => {
    setMade(await post<Made>(path, { name: values.name, scope: chosenScope(values) }, { flat: true }))
    read.reload()
  }
  const endOne = async (one: T) => {
    await remove(`${path}/${idOf(one)}`)
    if (made && idOf(made) === idOf(one)) setMade(undefined)
    read.reload()
  }
  return (
    <AccountPage title={sayName(nouns)}>
      <p class="lede">{lede}</p>
      {made && secretOf(made)}
      <Show of={read} lines={14}>
        {({ [nouns]: all = [] }) => (
          <>
            {all.length === 0 && <Empty>You have no {nouns}.</Empty>}
            <Table
              caption={`Your ${nouns}`}
              rows={all}
              keyOf={idOf}
              columns={[
                { title: 'Name', cell: ({ name }) => name },
                ...columns,
                { title: 'Created', cell: ({ created_at }) => sayDay(created_at), isWhole: true },
                { title: 'Last used', cell: ({ last_used_at }) => sayMoment(last_used_at, 'never'), isWhole: true },
                {
                  title: 'Actions',
                  isWhole: true,
                  cell: (one) => (
                    <Asked
                      button={
                        <>
                          {end.word}
                          <span class="unseen"> {one.name}</span>
                        </>
                      }
                      title={`${end.word} ${sayGiven(one.name)}?`}
                      label={`${end.word} ${noun}`}
                      onConfirm={() => endOne(one)}
                    >
                      <p>{end.means}</p>
                    </Asked>
                  ),
                },
              ]}
            />
            <Section title={`New ${noun}`}>
              <Form key={made && idOf(made)} onSubmit={create} label={`Create ${noun}`}>
                <Field name="name" label="Name" required maxLength={255} hint={hint} />
                <ScopeChoice without={without} />
              </Form>
            </Section>
          </>
        )}
      </Show>
    </AccountPage>
  )
}

const meanings: Record<Scope, string> = {
  'read:published': 'read published records',
  'read:draft': 'read drafts, too',
  'read:all-status': 'read everything, whatever its status',
  write: 'create and change records; without a read scope, only records that refer to nothing',
  delete: 'delete records',
  internal: 'do what operators do; an operator has to approve the client first',
}

/** The scopes that this account may grant. A personal token can't have `internal`. */
const ScopeChoice = ({ without }: { without?: Scope }) => {
  const isOperator = usePerson().person?.operator
  const grantable = scopes.filter((scope) => scope !== without && (isOperator || settings.grantable.includes(scope)))
  return (
    <fieldset>
      <legend>Scopes</legend>
      {grantable.map((scope) => (
        <label key={scope} class="choice">
          <input type="checkbox" name={`scope ${scope}`} defaultChecked={scope === 'read:published'} />
          <span>
            <code>{scope}</code> <span class="faint">{meanings[scope]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The chosen scopes as the API expects them: one text, separated by spaces. */
const chosenScope = (values: Record<string, string>) => scopes.filter((scope) => `scope ${scope}` in values).join(' ')
