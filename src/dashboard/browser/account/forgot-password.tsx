import { useState } from 'preact/hooks'
import { asking, post } from '../kit/api.ts'
import { Field, Form, type Values } from '../kit/form.tsx'
import { Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'

/** Sends a link for setting a new password. */
export const ForgotPassword = () => {
  const [email, setEmail] = useState<string>()
  const ask = async ({ email = '' }: Values) => {
    await post('/v1/user/password/forgot', asking('password_resets', { email }))
    setEmail(email)
  }
  return (
    <Page title="Forgot your password?" isNarrow>
      {email ? (
        <Notice kind="good">
          If <strong>{email}</strong> has an account, a link to set a new password is on its way.
        </Notice>
      ) : (
        <Form onSubmit={ask} label="Send me a link">
          <Field name="email" label="E-mail address" type="email" autocomplete="username" required />
        </Form>
      )}
    </Page>
  )
}
