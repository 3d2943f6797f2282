import { useState } from 'preact/hooks'
import { Refused } from '../kit/api.ts'
import { Field } from '../kit/form.tsx'

/** The field for choosing a password. A longer one is refused by the service, where the browser would cut it. */
export const NewPassword = ({ label = 'New password' }: { label?: string }) => (
  <Field
    name="password"
    label={label}
    type="password"
    autocomplete="new-password"
    hint="10 to 128 characters."
    minLength={10}
    required
  />
)

/** The field for the password that the account has now. */
export const CurrentPassword = () => (
  <Field name="current_password" label="Current password" type="password" autocomplete="current-password" required />
)

/**
 * For actions that need the current password once the session is older than 15 minutes. `asked` wraps the request. If that is
 * refused for lack of the password, `field` is its field for the form.
 */
export const usePasswordAgain = () => {
  const [isWanted, setWanted] = useState(false)
  const asked = async (sent: Promise<unknown>) => {
    try {
      await sent
    } catch (error) {
      if (!isWanting(error)) throw error
      setWanted(true)
      // The form shows an error next to its field, so the field has to be there first.
      await new Promise((shown) => setTimeout(shown))
      throw new Refused(403, [{ detail: 'You signed in a while ago. Enter your current password, too.', source }])
    }
  }
  return { field: isWanted && <CurrentPassword />, asked }
}

const source = { pointer: '/data/attributes/current_password' }

const isWanting = (error: unknown) =>
  error instanceof Refused && error.faults.some(({ code }) => code === 'REAUTHENTICATION_REQUIRED')
