import { useLocation } from 'preact-iso/router'
import { asking, post } from '../kit/api.ts'
import { Field, Form } from '../kit/form.tsx'
import { Page } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { at } from '../kit/settings.ts'

/** Sign in; afterwards the page that was wanted is shown. */
export const SignIn = () => {
  const { query, route } = useLocation()
  const { refresh } = usePerson()
  const signIn = async ({ email = '', password = '' }) => {
    await post('/v1/session', asking('sessions', { email, password }))
    await refresh()
    route(ownPath(query.next) ?? at('/account'), true)
  }
  return (
    <Page title="Sign in" isNarrow>
      <Form onSubmit={signIn} label="Sign in">
        <Field name="email" label="E-mail address" type="email" autocomplete="username" required />
        <Field name="password" label="Password" type="password" autocomplete="current-password" required />
      </Form>
      <p>
        <a href={at('/forgot-password')}>Forgotten your password?</a>
      </p>
      <p>
        No account yet? <a href={at('/signup')}>Sign up</a>.
      </p>
    </Page>
  )
}

/** Only a path of this service is gone to. */
const ownPath = (next: string | undefined) => (next && /^\/(?![/\\])/.test(next) ? next : undefined)
