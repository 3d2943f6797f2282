import { useState } from 'preact/hooks'
import { asking, post } from '../../kit/api.ts'
import { Copyable } from '../../kit/copyable.tsx'
import { Field, Form, Select, type Values } from '../../kit/form.tsx'
import { ShownOnce } from '../../kit/secret.tsx'
import { settings } from '../../kit/settings.ts'

/** An invite that was just created, the only time its code is known. */
export type MadeInvite = { id: string; attributes: { code: string; email: string | null } }

const ends = [
  { value: 'usual', label: 'In 14 days' },
  { value: 'day', label: 'On a date' },
  { value: 'never', label: 'Never' },
]

/** The form for a new invite, with everything the API accepts. */
export const NewInvite = ({ onMade }: { onMade: (invite: MadeInvite) => void }) => {
  const [ending, setEnding] = useState('usual')
  const make = async ({ label, email, max_uses, expires_at, code }: Values) => {
    const attributes = {
      label: label || null,
      email: email || null,
      code: code || null,
      max_uses: Number(max_uses),
      ...(ending === 'never' && { expires_at: null }),
      ...(ending === 'day' && { expires_at: endOf(expires_at ?? '') }),
    }
    const { data } = await post<{ data: MadeInvite }>('/internal/invites', asking('invites', attributes))
    onMade(data)
  }
  return (
    <Form onSubmit={make} label="Create invite">
      <Field name="label" label="Label (optional)" hint="What it is for. Only operators see this." />
      <Field
        name="email"
        label="Only for this address (optional)"
        type="email"
        autocomplete="off"
        hint="Nobody else can sign up with it."
      />
      <Field name="max_uses" label="Sign-ups" type="number" min="1" defaultValue="1" required />
      <Select name="ends" label="Expires" options={ends} value={ending} onChange={setEnding} />
      {ending === 'day' && <Field name="expires_at" label="Last day" type="date" min={today()} required />}
      <Field
        name="code"
        label="Your own code (optional)"
        autocomplete="off"
        maxLength={255}
        hint="A random code is harder to guess."
      />
    </Form>
  )
}

/** `2026-11-21`, in the operator's time zone. */
const today = () => new Date().toLocaleDateString('sv')

/** The last moment of a day, in the operator's time zone. */
const endOf = (day: string) => new Date(`${day}T23:59:59.999`).toISOString()

/** The code of a new invite, and a link that fills it in. */
export const IssuedInvite = ({ attributes: { code, email } }: MadeInvite) => {
  const query = new URLSearchParams({ invite: code, ...(email && { email }) })
  return (
    <>
      <ShownOnce text={code} label="Invite code" />
      <p>Sign-up link with the code filled in:</p>
      <Copyable text={`${settings.origin}${settings.base}/signup?${query}`} label="the link" />
    </>
  )
}
