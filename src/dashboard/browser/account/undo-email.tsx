import { useState } from 'preact/hooks'
import { lifetimes, sayDuration } from '../../../limits.ts'
import { asking, post } from '../kit/api.ts'
import { Form } from '../kit/form.tsx'
import { Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { at } from '../kit/settings.ts'
import { DeadLink, isOfToken } from './dead-link.tsx'
import { useTokenOfLink } from './token-of-link.ts'

type Undone = { data: { attributes: { email: string } } }

/** The page of the link that was sent to the address before: a button gives it back to the account. */
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
    // Whoever is signed in here is so no longer, if it is this account.
    if (person) await refresh().catch(() => {})
  }
  if (why)
    return (
      <DeadLink why={why}>
        <p>
          A link to undo a change of address works once, for {sayDuration(lifetimes.undoLink.seconds)}.{' '}
          <a href={at('/signin')}>Sign in</a> to see which address the account has.
        </p>
      </DeadLink>
    )
  return (
    <Page title="Undo the change of address" isNarrow>
      {email ? (
        <>
          <Notice kind="good">
            <strong>{email}</strong> is the address of the account again, and all sessions have ended.
          </Notice>
          <p>
            If somebody else changed it, they may know your password: <a href={at('/forgot-password')}>set a new one</a>{' '}
            now.
          </p>
        </>
      ) : (
        <Form onSubmit={undo} label="Undo the change">
          <p>The account goes back to the address this link was sent to, and everybody is signed out.</p>
        </Form>
      )}
    </Page>
  )
}
