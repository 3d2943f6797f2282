import { useState } from 'preact/hooks'
import { Refused } from '../kit/api.ts'
import { Field } from '../kit/form.tsx'

/**
 * For what wants the current password once the session is older than 15 minutes: `field` stands in the form where that was
 * refused for want of it, and `asked` sees to it.
 */
export const usePasswordAgain = () => {
  const [isWanted, setWanted] = useState(false)
  const asked = async (sent: Promise<unknown>) => {
    try {
      await sent
    } catch (error) {
      if (!isWanting(error)) throw error
      setWanted(true)
      // The form shows a fault beside its field, which has to be there first.
      await new Promise((shown) => setTimeout(shown))
      throw new Refused(403, [{ detail: 'You signed in a while ago. Enter your current password, too.', source }])
    }
  }
  const field = isWanted && (
    <Field name="current_password" label="Current password" type="password" autocomplete="current-password" required />
  )
  return { field, asked }
}

const source = { pointer: '/data/attributes/current_password' }

const isWanting = (error: unknown) =>
  error instanceof Refused && error.faults.some(({ code }) => code === 'REAUTHENTICATION_REQUIRED')
