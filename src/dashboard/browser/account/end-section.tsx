import { asking, get, remove } from '../kit/api.ts'
import { Asked } from '../kit/dialog.tsx'
import { Field, type Values } from '../kit/form.tsx'
import { sayCount } from '../kit/format.ts'
import { dropKey } from '../kit/key-in-tab.ts'
import { useLoaded } from '../kit/load.ts'
import { Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { usePasswordAgain } from './password-again.tsx'
import { hasPaid, type Subscription } from './subscription.ts'

/** The end of the account, behind a question that says what goes with it. */
export const EndSection = ({ email }: { email: string }) => {
  const { field, asked } = usePasswordAgain()
  const end = async ({ confirm_email, current_password }: Values) => {
    await asked(remove('/v1/me', asking('users', { confirm_email, current_password })))
    dropKey()
    location.replace(at('/signup?deleted=yes'))
  }
  return (
    <Section title="Delete the account">
      <p>This also deletes its key, clients, tokens and sessions, and ends what you pay for.</p>
      <Asked
        button="Delete account"
        kind="dangerous"
        title="Delete the account for good?"
        label="Delete for good"
        onConfirm={end}
      >
        <Goes />
        <Field name="confirm_email" label={`Type ${email} to confirm`} autocomplete="off" required />
        {field}
      </Asked>
    </Section>
  )
}

type Found = { key: string | null; clients: number; tokens: number; plan: string | null; isPaid: boolean }

/** What the account has now. */
const Goes = () => (
  <Show of={useLoaded(readWhatGoes, 'what-goes')} lines={4}>
    {({ key, clients, tokens, plan, isPaid }) => (
      <div>
        <p>These go at once, and you cannot undo it:</p>
        <ul>
          <li>{key ? `the key that ends in ${key}: programs that use it are refused` : 'your sign-in'}</li>
          {clients + tokens > 0 && (
            <li>
              {sayCount(clients, 'client')} and {sayCount(tokens, 'token')}, with all that they opened
            </li>
          )}
          {plan && (
            <li>
              {isPaid
                ? `the plan ${plan}: Stripe ends it now, and what is left of the time you paid for is lost`
                : `the plan ${plan}`}
            </li>
          )}
          <li>your usage of the last 30 days, your name and your address</li>
        </ul>
        <p>What you changed in the catalog stays, and the audit log keeps it under a number in place of your name.</p>
      </div>
    )}
  </Show>
)

const readWhatGoes = async (signal: AbortSignal): Promise<Found> => {
  const [key, { clients }, { tokens }, subscription] = await Promise.all([
    get<{ data: { attributes: { last_four: string } } | null }>('/v1/user/api-key', { signal }),
    get<{ clients: unknown[] }>('/oauth/clients', { signal }),
    get<{ tokens: unknown[] }>('/oauth/tokens', { signal }),
    get<{ data: { attributes: Subscription } }>('/v1/user/subscription', { signal }),
  ])
  return {
    key: key.data?.attributes.last_four ?? null,
    ...{ clients: clients.length, tokens: tokens.length, plan: subscription.data.attributes.plan },
    isPaid: hasPaid(subscription.data.attributes),
  }
}
