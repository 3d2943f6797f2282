import { asking, get, remove } from '../kit/api.ts'
import { Asked } from '../kit/dialog.tsx'
import { Field, type Values } from '../kit/form.tsx'
import { sayCount } from '../kit/format.ts'
import { dropKey } from '../kit/key-in-tab.ts'
import { useLoaded } from '../kit/load.ts'
import { Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { usePasswordAgain } from './passwords.tsx'
import { hasPaid, type Subscription } from './subscription.ts'

/** Deletes the account, after a dialog that says what goes with it. */
export const EndSection = ({ email }: { email: string }) => {
  const { field, asked } = usePasswordAgain()
  const end = async ({ confirm_email, current_password }: Values) => {
    await asked(remove('/v1/me', asking('users', { confirm_email, current_password })))
    dropKey()
    location.replace(at('/signup?deleted=yes'))
  }
  return (
    <Section title="Delete your account">
      <p>This also deletes your key, clients, tokens and sessions, and cancels your paid plan.</p>
      <Asked
        button="Delete account"
        kind="dangerous"
        title="Delete your account permanently?"
        label="Delete permanently"
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
        <p>You lose all of this at once, and you can’t undo it:</p>
        <ul>
          <li>{key ? `the key that ends in ${key}: programs that use it will be refused` : 'your sign-in'}</li>
          {clients + tokens > 0 && (
            <li>
              {sayCount(clients, 'client')} and {sayCount(tokens, 'token')}, and all access they gave
            </li>
          )}
          {plan && (
            <li>
              {isPaid
                ? `the ${plan} plan: Stripe cancels it now, and you lose the time you have paid for`
                : `the ${plan} plan`}
            </li>
          )}
          <li>your usage of the last 30 days, your name and your address</li>
        </ul>
        <p>Your changes to the catalog stay. The audit log keeps them under a number instead of your name.</p>
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
    clients: clients.length,
    tokens: tokens.length,
    plan: subscription.data.attributes.plan,
    isPaid: hasPaid(subscription.data.attributes),
  }
}
