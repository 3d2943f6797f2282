import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { asking, get, post, type Refused } from '../kit/api.ts'
import { Field, Form } from '../kit/form.tsx'
import { Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { at } from '../kit/settings.ts'
import { ownPath } from './own-path.ts'

/** Signs in, then shows the page that the person wanted. */
export const SignIn = () => {
  const { query, route } = useLocation()
  const { person, hasEnded, refresh } = usePerson()
  const [before] = useState(person)
  const [isUnverified, setUnverified] = useState(false)
  const signIn = async ({ email = '', password = '' }) => {
    setUnverified(false)
    await post('/v1/session', asking('sessions', { email, password })).catch((refused: Refused) => {
      setUnverified(refused.faults?.[0]?.code === 'EMAIL_NOT_VERIFIED')
      throw refused
    })
    await refresh()
    route(ownPath(query.next, location.origin) ?? at((await isOperator()) ? '/operations' : '/account'), true)
  }
  return (
    <Page title="Sign in" isNarrow>
      {hasEnded && <Notice>Your session has ended. Please sign in again.</Notice>}
      {before && (
        <Notice>
          You’re signed in as <strong>{before.email}</strong>. <a href={at('/account')}>Go to your account</a>
        </Notice>
      )}
      <Form onSubmit={signIn} label="Sign in">
        <Field name="email" label="E-mail address" type="email" autocomplete="username" required />
        <Field name="password" label="Password" type="password" autocomplete="current-password" required />
      </Form>
      {isUnverified && (
        <p>
          Lost the e-mail? <a href={at('/signup')}>Sign up again</a> with the same address to get another one.
        </p>
      )}
      <p>
        <a href={at('/forgot-password')}>Forgot your password?</a>
      </p>
      <p>
        No account yet? <a href={at('/signup')}>Sign up</a>.
      </p>
    </Page>
  )
}

/** Operators start on their own page. */
const isOperator = async () =>
  (await get<{ data: { attributes: { operator: boolean } } }>('/v1/me')).data.attributes.operator
