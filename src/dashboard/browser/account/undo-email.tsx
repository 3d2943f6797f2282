import { useState } from 'preact/hooks'
import { lifetimes, sayDuration } from '../../../limits.ts'
import { asking, post } from '../kit/api.ts'
import { Form } from '../kit/form.tsx'
import { Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { at } from '../kit/settings.ts'
import { DeadLink, isOfToken, useTokenOfLink } from './link.tsx'

type Undone = { data: { attributes: { email: string } } }

/** The page that the link in the mail to the old address opens. Its button restores that address. */
export const UndoEmail = () => {
  const token = useTokenOfLink()
  const { person, refresh } = usePerson()
  const [email, setEmail] = useState<string>()
  const [why, setWhy] = useState(token ? undefined : 'The link is incomplete.')
  const undo = async () => {
    try {
      const { data } = await post<Undone>('/v1/user/email/undo', asking('email_changes', { token }))
      setEmail(data.attributes.email)
    } catch (error) {
      if (!isOfToken(error)) throw error
      return setWhy((error as Error).message)
    }
    // If this account was signed in here, it no longer is.
    if (person) await refresh().catch(() => {})
  }
  if (why)
    return (
      <DeadLink why={why}>
        <p>
          A link to undo an address change works once, for {sayDuration(lifetimes.undoLink.seconds)}.{' '}
          <a href={at('/signin')}>Sign in</a> to see which address the account has.
        </p>
      </DeadLink>
    )
  return (
    <Page title="Undo the address change" isNarrow>
      {email ? (
        <>
          <Notice kind="good">
            The account’s address is <strong>{email}</strong> again, and all sessions are signed out.
          </Notice>
          <p>
            If somebody else changed it, they may know your password. <a href={at('/forgot-password')}>Set a new one</a>{' '}
            now.
          </p>
        </>
      ) : (
        <Form onSubmit={undo} label="Undo the change">
          <p>The account goes back to the address this link was sent to, and all sessions are signed out.</p>
        </Form>
      )}
    </Page>
  )
}
