import { capital } from '../../lib/capital.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import type { Message } from '../message.ts'
import { curlOf, layOut } from './layout.ts'

/** After a sign-up: opening the link proves who owns the address. */
export const verifyAddress = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'verify_address',
    subject: `Verify your e-mail address for ${capital(brand)}`,
    heading: 'One step, and your key is ready',
    paragraphs: [
      `Thank you for signing up for ${capital(brand)}. Verify your address to get your API key. You will see the key only once.`,
    ],
    button: { label: 'Verify my address', link },
    command: curlOf(link, '/v1/signup/verify', 'verifications', { password: 'the password that you chose' }),
    notes: [
      `The link works once, for ${sayDuration(lifetimes.signUpLink.seconds)}, with the password that you signed up with. If that is refused, the mail came from someone else’s sign-up: sign up yourself, and open the link that you get then.`,
      'If you did not sign up, ignore this mail: nothing will happen.',
    ],
  })

/** To the new address of an account: the change takes effect once the link is opened. */
export const confirmAddress = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'confirm_address',
    subject: `Confirm your new e-mail address for ${capital(brand)}`,
    heading: 'Is this your new address?',
    paragraphs: [`Someone asked to use this address for a ${capital(brand)} account. Confirm it to make the change.`],
    button: { label: 'Confirm this address', link },
    command: curlOf(link, '/v1/user/email/confirm', 'email_changes'),
    notes: ['If it was not you, ignore this mail: the account keeps its old address.'],
  })

/** To the old address of an account: a way back for an owner who did not request the change. */
export const addressChanged = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'address_changed',
    subject: `The e-mail address of your ${capital(brand)} account was changed`,
    heading: 'Your address was changed',
    paragraphs: [
      `Your ${capital(brand)} account now has a different e-mail address. If you changed it, there is nothing to do.`,
      'If it was not you, undo the change: the account gets this address back, every session ends, and you can set a new password.',
    ],
    button: { label: 'Undo the change', link },
    command: curlOf(link, '/v1/user/email/undo', 'email_changes'),
    notes: [`The link works once, for ${sayDuration(lifetimes.undoLink.seconds)}. Later changes do not disable it.`],
  })

/** After a request to reset the password. */
export const resetPassword = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'reset_password',
    subject: `Choose a new password for ${capital(brand)}`,
    heading: 'Choose a new password',
    paragraphs: ['Someone asked for a new password for your account. Choosing one ends every session.'],
    button: { label: 'Choose a password', link },
    command: curlOf(link, '/v1/user/password/reset', 'password_resets', { password: 'a new password' }),
    notes: ['The link works once. If it was not you, ignore this mail: your password stays as it is.'],
  })

/** To an address on the waiting list that may sign up now. */
export const slotFree = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'slot_free',
    subject: `There is room for you on ${capital(brand)}`,
    heading: 'Your place is free',
    paragraphs: [
      `You asked to hear from us when ${capital(brand)} has room again. Now it does: sign up to start your trial.`,
    ],
    button: { label: 'Sign up', link },
    notes: ['We invite people in the order of the waiting list. If you no longer want a place, ignore this mail.'],
  })
