import { useState } from 'preact/hooks'
import { asking, post } from '../kit/api.ts'
import { Form, type Values } from '../kit/form.tsx'
import { Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { NewPassword } from './new-password.tsx'
import { useTokenOfLink } from './token-of-link.ts'

/** Sets a new password with the link of the mail. */
export const ResetPassword = () => {
  const token = useTokenOfLink()
  const [isDone, setDone] = useState(false)
  const reset = async ({ password }: Values) => {
    await post('/v1/user/password/reset', asking('password_resets', { token, password }))
    setDone(true)
  }
  return (
    <Page title="Set a new password" isNarrow>
      {isDone ? (
        <Notice kind="good">
          Your password is set, and all sessions have ended. <a href={at('/signin')}>Sign in</a>.
        </Notice>
      ) : (
        <Form onSubmit={reset} label="Set password">
          <NewPassword />
        </Form>
      )}
      <p>
        The link works once. <a href={at('/forgot-password')}>Ask for another</a>.
      </p>
    </Page>
  )
}
