import { asking, post } from '../kit/api.ts'
import { useLoaded } from '../kit/load.ts'
import { Notice, Show } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { DeadLink, isOfToken, useTokenOfLink } from './link.tsx'

type Confirmed = { data: { attributes: { email: string } } }

/** The page that the link in the mail to a new address opens. It makes that address the account's. */
export const ConfirmEmail = () => {
  const token = useTokenOfLink()
  const confirmed = useLoaded(
    () => post<Confirmed>('/v1/user/email/confirm', asking('email_changes', { token })),
    token,
  )
  if (isOfToken(confirmed.failure))
    return (
      <DeadLink why={confirmed.failure?.message}>
        <p>
          Your address hasn’t changed. <a href={at('/account/settings')}>Change it in your settings</a> to get another
          link.
        </p>
      </DeadLink>
    )
  return (
    <Page title="Your new address" isNarrow>
      <Show of={confirmed} lines={2}>
        {({ data }) => (
          <Notice kind="good">
            Your address is now <strong>{data.attributes.email}</strong>.
          </Notice>
        )}
      </Show>
      <p>
        <a href={at('/account/settings')}>Go to your account</a>
      </p>
    </Page>
  )
}
