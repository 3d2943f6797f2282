import { useState } from 'preact/hooks'
import { lifetimes, sayDuration } from '../../../limits.ts'
import { asking, post } from '../kit/api.ts'
import { Form, type Values } from '../kit/form.tsx'
import { Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { DeadLink, isOfToken, useTokenOfLink } from './link.tsx'
import { NewPassword } from './passwords.tsx'

/** The page that the link in the mail opens. It sets a new password. */
export const ResetPassword = () => {
  const token = useTokenOfLink()
  const [state, setState] = useState<'open' | 'done' | 'dead'>(token ? 'open' : 'dead')
  const reset = async ({ password }: Values) => {
    try {
      await post('/v1/user/password/reset', asking('password_resets', { token, password }))
      setState('done')
    } catch (error) {
      if (!isOfToken(error)) throw error
      setState('dead')
    }
  }
  if (state === 'dead')
    return (
      <DeadLink>
        <p>
          A link to set a password works once, for {sayDuration(lifetimes.resetLink.seconds)}.{' '}
          <a href={at('/forgot-password')}>Get another one</a>.
        </p>
      </DeadLink>
    )
  return (
    <Page title="Set a new password" isNarrow>
      {state === 'done' ? (
        <Notice kind="good">
          Your new password is set, and you are signed out everywhere. <a href={at('/signin')}>Sign in</a>.
        </Notice>
      ) : (
        <Form onSubmit={reset} label="Set password">
          <NewPassword />
        </Form>
      )}
    </Page>
  )
}
