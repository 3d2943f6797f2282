import { useState } from 'preact/hooks'
import { asking, get, patch } from '../kit/api.ts'
import { Field, Form, type Values } from '../kit/form.tsx'
import { useLoaded } from '../kit/load.ts'
import { Notice, Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { AccountPage } from './account-page.tsx'
import { EndSection } from './end-section.tsx'
import { CurrentPassword, NewPassword, usePasswordAgain } from './passwords.tsx'

type User = { id: string; attributes: { name: string | null; email: string; pending_email: string | null } }

/** The account's name, address, password, and deletion. */
export const AccountSettings = () => {
  const read = useLoaded(async (signal) => (await get<{ data: User }>('/v1/me', { signal })).data, '/v1/me')
  return (
    <AccountPage title="Settings">
      <Show of={read} lines={12}>
        {(user) => (
          <>
            <NameSection {...user} />
            <EmailSection {...user} onChange={read.reload} />
            <PasswordSection email={user.attributes.email} />
            <EndSection email={user.attributes.email} />
          </>
        )}
      </Show>
    </AccountPage>
  )
}

const NameSection = ({ attributes: { name } }: User) => {
  const { refresh } = usePerson()
  const [isDone, setDone] = useState(false)
  const change = async ({ name }: Values) => {
    await patch('/v1/me', asking('users', { name: name || null }))
    await refresh()
    setDone(true)
  }
  return (
    <Section title="Name">
      {isDone && <Notice kind="good">Your name has been changed.</Notice>}
      <Form onSubmit={change} label="Save name">
        <Field name="name" label="Name" defaultValue={name ?? ''} autocomplete="name" maxLength={255} />
      </Form>
    </Section>
  )
}

const EmailSection = ({ attributes, onChange }: User & { onChange: () => void }) => {
  const { field, asked } = usePasswordAgain()
  const change = async ({ email, current_password }: Values) => {
    await asked(patch('/v1/user/email', asking('email_changes', { email, current_password })))
    onChange()
  }
  return (
    <Section title="E-mail address">
      <p>
        Your address is <strong>{attributes.email}</strong>.
      </p>
      {attributes.pending_email && (
        <Notice>
          A link is on its way to <strong>{attributes.pending_email}</strong>. Your address changes when you open it.
        </Notice>
      )}
      <Form key={attributes.pending_email ?? ''} onSubmit={change} label="Change address">
        <Field name="email" label="New e-mail address" type="email" autocomplete="email" required />
        {field}
      </Form>
    </Section>
  )
}

const PasswordSection = ({ email }: { email: string }) => {
  const [changes, setChanges] = useState(0)
  const change = async ({ current_password, password }: Values) => {
    await patch('/v1/user/password', asking('passwords', { current_password, password }))
    setChanges((count) => count + 1)
  }
  return (
    <Section title="Password">
      {changes > 0 && (
        <Notice kind="good">Your password has been changed, and all other sessions are signed out.</Notice>
      )}
      <Form key={changes} onSubmit={change} label="Change password">
        <input type="hidden" name="username" autocomplete="username" value={email} />
        <CurrentPassword />
        <NewPassword />
      </Form>
    </Section>
  )
}
