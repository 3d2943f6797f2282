import { useState } from 'preact/hooks'
import { lifetimes, sayDuration } from '../../../limits.ts'
import { asking, asRefused, post } from '../kit/api.ts'
import { Field, Form, type Values } from '../kit/form.tsx'
import { keepKey } from '../kit/key-in-tab.ts'
import { sayDay } from '../kit/moments.ts'
import { Notice } from '../kit/notice.tsx'
import { Page, Section } from '../kit/page.tsx'
import { ShownOnce } from '../kit/secret.tsx'
import { at } from '../kit/settings.ts'
import { isOfToken, useTokenOfLink } from './link.tsx'
import { TryRequest } from './try-request.tsx'

type Verified = { meta: { api_key?: string; trial_ends_at?: string; waitlisted?: boolean } }

/**
 * The page that the link in the first mail opens. It asks for the sign-up's password, since anyone could have requested the mail.
 * Then it verifies the address and shows the key, only once.
 */
export const Verify = () => {
  const token = useTokenOfLink()
  const [verified, setVerified] = useState<Verified>()
  const [dead, setDead] = useState<'expired' | 'dead' | undefined>(token ? undefined : 'dead')
  const verify = async ({ password }: Values) => {
    try {
      const answer = await post<Verified>('/v1/signup/verify', asking('verifications', { token, password }))
      if (answer.meta.api_key) keepKey(answer.meta.api_key)
      setVerified(answer)
    } catch (error) {
      if (!isOfToken(error)) throw error
      setDead(asRefused(error).status === 410 ? 'expired' : 'dead')
    }
  }
  if (dead) return <NotVerified isExpired={dead === 'expired'} token={token} />
  return (
    <Page title={verified ? 'Welcome' : 'Verify your address'} isNarrow>
      {verified ? <Welcome {...verified} /> : <AskPassword onSubmit={verify} />}
    </Page>
  )
}

const AskPassword = ({ onSubmit }: { onSubmit: (values: Values) => Promise<void> }) => (
  <>
    <Form onSubmit={onSubmit} label="Verify my address">
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="current-password"
        hint="Type the password you signed up with."
        required
      />
    </Form>
    <p>
      If your password is refused, somebody else used your address to sign up.{' '}
      <a href={at('/signup')}>Sign up yourself</a>, and open the link in the e-mail you get then.
    </p>
  </>
)

const Welcome = ({ meta: { api_key, trial_ends_at } }: Verified) => (
  <>
    <p>Your address is verified.</p>
    {api_key ? (
      <ShownOnce text={api_key} label="Your key" />
    ) : (
      <Notice>Every place is taken right now. We’ll write to you when your trial starts.</Notice>
    )}
    {trial_ends_at && <p>Your trial lasts until {sayDay(trial_ends_at)}.</p>}
    {api_key && (
      <Section title="Your first request">
        <p>Run it here or in a terminal. Your key is filled in.</p>
        <TryRequest label="the first request" apiKey={api_key} path="/v1/sets?per_page=5" />
      </Section>
    )}
    <p>
      {api_key && (
        <>
          <a href={at('/getting-started')}>More examples with your key</a>, or{' '}
        </>
      )}
      <a href={at('/signin')}>{api_key ? 'sign in' : 'Sign in'}</a>.
    </p>
  </>
)

const NotVerified = ({ isExpired, token }: { isExpired: boolean; token: string }) => {
  const [isSent, setSent] = useState(false)
  const send = async () => {
    await post('/v1/signup/resend', asking('verifications', { token }))
    setSent(true)
  }
  return (
    <Page title={isExpired ? 'The link has expired' : 'The link doesn’t work'} isNarrow>
      <p>
        {isExpired
          ? `A link to verify an address works for ${sayDuration(lifetimes.signUpLink.seconds)}.`
          : 'It was already used, or part of it is missing.'}
      </p>
      {isSent ? <Notice kind="good">If your address isn’t verified yet, a new link is on its way.</Notice> : null}
      {token && !isSent && <Form onSubmit={send} label="Send a new link" />}
      <p>
        If your address is already verified, <a href={at('/signin')}>sign in</a>. If not,{' '}
        <a href={at('/signup')}>sign up again</a>.
      </p>
    </Page>
  )
}
