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
      `Thank you for signing up for ${capital(brand)}. Verify that this address is yours, and you get your API key: it is shown once.`,
    ],
    button: { label: 'Verify my address', link },
    command: curlOf(link, '/v1/signup/verify', 'verifications', { password: 'the password that you chose' }),
    notes: [
      `The link works once, for ${sayDuration(lifetimes.signUpLink.seconds)}, with the password that you signed up with. If that is refused, somebody else asked for this mail: sign up yourself, and open the link that you get then.`,
      'If it was not you who signed up, ignore this mail: nothing happens.',
    ],
  })

/** To the new address of an account: the change takes effect once the link is opened. */
export const confirmAddress = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'confirm_address',
    subject: `Confirm your new e-mail address for ${capital(brand)}`,
    heading: 'Is this your new address?',
    paragraphs: [
      `Somebody asked that a ${capital(brand)} account use this address from now on. Confirm it, and it is changed.`,
    ],
    button: { label: 'Confirm this address', link },
    command: curlOf(link, '/v1/user/email/confirm', 'email_changes'),
    notes: ['If it was not you, ignore this mail: the account keeps the address that it has.'],
  })

/** To the old address of an account: a way back for an owner who did not request the change. */
export const addressChanged = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'address_changed',
    subject: `The e-mail address of your ${capital(brand)} account was changed`,
    heading: 'Your address was changed',
    paragraphs: [
      `Your ${capital(brand)} account has another e-mail address from now on. If you changed it, there is nothing to do.`,
      'If it was not you, undo the change: the account has this address again, every session ends, and you can set a new password.',
    ],
    button: { label: 'Undo the change', link },
    command: curlOf(link, '/v1/user/email/undo', 'email_changes'),
    notes: [`The link works once, for ${sayDuration(lifetimes.undoLink.seconds)}. No later change takes it away.`],
  })

/** After a request to reset the password. */
export const resetPassword = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'reset_password',
    subject: `Choose a new password for ${capital(brand)}`,
    heading: 'Choose a new password',
    paragraphs: ['Somebody asked for a new password for your account. When you choose one, every session ends.'],
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
      `You asked to be told when ${capital(brand)} has room again. Now it has: sign up, and your trial begins.`,
    ],
    button: { label: 'Sign up', link },
    notes: ['Places go in the order of the list. If you no longer want one, ignore this mail.'],
  })
