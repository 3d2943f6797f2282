import { capital } from '../../lib/capital.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import type { Message } from '../message.ts'
import { curlOf, layOut } from './layout.ts'

/** Sent after a sign-up. Opening the link proves who owns the address. */
export const verifyAddress = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'verify_address',
    subject: `Verify your e-mail address for ${capital(brand)}`,
    heading: 'One step, and your key is ready',
    paragraphs: [
      `Thank you for signing up for ${capital(brand)}. Verify your address to get your API key. You’ll see the key only once.`,
    ],
    button: { label: 'Verify my address', link },
    command: curlOf(link, '/v1/signup/verify', 'verifications', { password: 'the password you chose' }),
    notes: [
      `The link works once, for ${sayDuration(lifetimes.signUpLink.seconds)}, with the password you signed up with. If your password is refused, someone else signed up with your address: sign up yourself and open the link you get then.`,
      'If you didn’t sign up, ignore this e-mail. Nothing will happen.',
    ],
  })

/** Sent to an account's new address. The change takes effect once the link is opened. */
export const confirmAddress = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'confirm_address',
    subject: `Confirm your new e-mail address for ${capital(brand)}`,
    heading: 'Is this your new address?',
    paragraphs: [`Someone asked to use this address for a ${capital(brand)} account. Confirm it to make the change.`],
    button: { label: 'Confirm this address', link },
    command: curlOf(link, '/v1/user/email/confirm', 'email_changes'),
    notes: ['If it wasn’t you, ignore this e-mail. The account keeps its old address.'],
  })

/** Sent to an account's old address, so that an owner who didn't ask for the change can undo it. */
export const addressChanged = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'address_changed',
    subject: `The e-mail address of your ${capital(brand)} account was changed`,
    heading: 'Your address was changed',
    paragraphs: [
      `Your ${capital(brand)} account now has a different e-mail address. If you changed it, you’re all set.`,
      'If it wasn’t you, undo the change. The account gets this address back, everyone is signed out, and you can set a new password.',
    ],
    button: { label: 'Undo the change', link },
    command: curlOf(link, '/v1/user/email/undo', 'email_changes'),
    notes: [`The link works once, for ${sayDuration(lifetimes.undoLink.seconds)}. Later changes don’t disable it.`],
  })

/** Sent after a request to reset the password. */
export const resetPassword = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'reset_password',
    subject: `Choose a new password for ${capital(brand)}`,
    heading: 'Choose a new password',
    paragraphs: ['Someone asked to reset your account’s password. Choosing a new one signs you out everywhere.'],
    button: { label: 'Choose a password', link },
    command: curlOf(link, '/v1/user/password/reset', 'password_resets', { password: 'a new password' }),
    notes: ['The link works once. If it wasn’t you, ignore this e-mail. Your password stays the same.'],
  })

/** Sent to an address on the waiting list once it may sign up. */
export const slotFree = (brand: string, { link }: { link: string }): Message =>
  layOut(brand, {
    kind: 'slot_free',
    subject: `There is room for you on ${capital(brand)}`,
    heading: 'Your place is free',
    paragraphs: [
      `You asked us to let you know when ${capital(brand)} has room again. Now it does: sign up to start your trial.`,
    ],
    button: { label: 'Sign up', link },
    notes: ['We invite people in the order of the waiting list. If you no longer want a place, ignore this e-mail.'],
  })
