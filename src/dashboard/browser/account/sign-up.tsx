import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { lifetimes, planAllowances, sayAllowance, sayDuration } from '../../../limits.ts'
import { useAnswer } from '../kit/answer.ts'
import { asking, post } from '../kit/api.ts'
import { Field, Form, type Values } from '../kit/form.tsx'
import { sayCount } from '../kit/format.ts'
import { Notice, Show } from '../kit/notice.tsx'
import { Page, Section } from '../kit/page.tsx'
import { at, settings } from '../kit/settings.ts'
import { NewPassword } from './passwords.tsx'
import { sayPrice, useOffers } from './plans.tsx'
import { planNames } from './subscription.ts'

type Slots = { remaining: number | null; capacity: number | null }
type Answer = { meta: { waitlisted: boolean } }

/** Signs up, then says where to look for the mail. */
export const SignUp = () => {
  const { query } = useLocation()
  const slots = useAnswer<Slots>('/pages/v1/founding-slots/remaining')
  const [sent, setSent] = useState<{ values: Values; isWaitlisted: boolean }>()
  const signUp = async (values: Values) => {
    const { email, password, name, invite_code } = values
    const asked = asking('signups', { email, password, name: name || null, invite_code: invite_code || null })
    const { meta } = await post<Answer>('/v1/signup', asked)
    setSent({ values, isWaitlisted: meta.waitlisted })
  }
  if (sent?.isWaitlisted) return <Waitlisted email={sent.values.email ?? ''} />
  if (sent) return <MailSent email={sent.values.email ?? ''} again={() => signUp(sent.values)} />
  return (
    <Page
      title="Sign up"
      lede={`Free for ${sayCount(settings.trialDays, 'day')}: ${sayAllowance(planAllowances.trial)}. No credit card needed.`}
      isNarrow
    >
      {query.deleted && <Notice kind="good">Your account and everything in it has been deleted.</Notice>}
      {slots.value?.remaining === 0 && (
        <Notice kind="warning">
          Every place is taken right now. Sign up anyway, and we’ll write to you when one is free.
        </Notice>
      )}
      <Form onSubmit={signUp} label="Sign up">
        <Field
          name="email"
          label="E-mail address"
          type="email"
          autocomplete="username"
          defaultValue={query.email}
          required
        />
        <NewPassword label="Password" />
        <Field name="name" label="Name (optional)" autocomplete="name" maxLength={255} />
        <Field
          name="invite_code"
          label="Invite code (if you have one)"
          autocomplete="off"
          defaultValue={query.invite}
        />
      </Form>
      <Afterwards />
      <p>
        Already have an account? <a href={at('/signin')}>Sign in</a>.
      </p>
    </Page>
  )
}

/** What it costs after the trial, so that people know before they sign up. */
const Afterwards = () => (
  <Section title="After the trial" id="after">
    {settings.canBuy ? (
      <Prices />
    ) : (
      <p>
        It’s free. After {sayCount(settings.trialDays, 'day')} an administrator decides whether to extend your access.
      </p>
    )}
  </Section>
)

const Prices = () => (
  <Show of={useOffers()} lines={3}>
    {(offers) => (
      <>
        <ul>
          {offers.map(({ plan, price, limit, window_seconds }) => (
            <li key={plan}>
              <strong>{planNames[plan]}</strong>: {sayAllowance({ limit, windowSeconds: window_seconds })}
              {price ? ` for ${sayPrice(price)}` : '. Stripe’s page shows the price before you pay.'}
            </li>
          ))}
        </ul>
        <p class="faint">
          You choose a plan when the trial ends. If you don’t, your key stops working and you pay nothing.
        </p>
      </>
    )}
  </Show>
)

const MailSent = ({ email, again }: { email: string; again: () => Promise<void> }) => {
  const [times, setTimes] = useState(0)
  const send = async () => {
    await again()
    setTimes(times + 1)
  }
  return (
    <Page title="Check your e-mail" isNarrow>
      <p>
        A link is on its way to <strong>{email}</strong>. Open it within {sayDuration(lifetimes.signUpLink.seconds)} to
        get your key.
      </p>
      {times > 0 && <Notice kind="good">We sent it again.</Notice>}
      <Form onSubmit={send} label="Send it again" />
    </Page>
  )
}

const Waitlisted = ({ email }: { email: string }) => (
  <Page title="You’re on the waiting list" isNarrow>
    <p>
      Every place is taken right now. We’ll write to <strong>{email}</strong> as soon as one is free.
    </p>
  </Page>
)
