import { Field } from '../kit/form.tsx'

/** The field for choosing a password. */
export const NewPassword = ({ label = 'New password' }: { label?: string }) => (
  <Field
    name="password"
    label={label}
    type="password"
    autocomplete="new-password"
    hint="10 to 128 characters."
    minLength={10}
    maxLength={128}
    required
  />
)
