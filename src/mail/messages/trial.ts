import { capital } from '../../lib/capital.ts'
import type { Message } from '../message.ts'
import { dayOf, layOut } from './layout.ts'

/** Sent when a trial starts because the address was verified. */
export const welcome = (
  brand: string,
  { name, baseUrl, trialEndsAt }: { name: string | null; baseUrl: string; trialEndsAt: Date },
): Message =>
  layOut(brand, {
    kind: 'welcome',
    subject: `Welcome to ${capital(brand)}`,
    heading: name ? `Welcome, ${name}` : 'Welcome',
    paragraphs: [
      `Your address is verified and your trial has started. It runs until ${dayOf(trialEndsAt)}.`,
      'Send your key with every request, as a bearer token. The documentation has an example for every endpoint.',
    ],
    button: { label: 'Read the documentation', link: `${baseUrl}/docs` },
    command: `curl ${baseUrl}/v1/cards -H 'Authorization: Bearer YOUR_KEY'`,
    notes: [
      'Your key was shown only once. If you lost it, get a new one in your account. The old one stops working right away.',
    ],
  })

/** Sent to an account on the waiting list when its place opens up. */
export const trialStarted = (brand: string, { link, trialEndsAt }: { link: string; trialEndsAt: Date }): Message =>
  layOut(brand, {
    kind: 'trial_started',
    subject: `Your ${capital(brand)} trial has started`,
    heading: 'Your place is ready',
    paragraphs: [
      `You were on the waiting list, and now there’s room. Your trial has started and runs until ${dayOf(trialEndsAt)}.`,
      'Sign in to create your API key. You’ll see the key only once.',
    ],
    button: { label: 'Open my account', link },
  })

/** The address of the account page, and whether plans are sold there. If not, operators assign them. */
type Ending = { link: string; sellsPlans: boolean }

/** Sent 7 days, 2 days and one day before a trial ends. */
export const trialReminder = (
  brand: string,
  { daysLeft, link, sellsPlans }: Ending & { daysLeft: number },
): Message => {
  const when = daysLeft <= 1 ? 'within a day' : `in ${daysLeft} days`
  return layOut(brand, {
    kind: 'trial_reminder',
    subject: `Your ${capital(brand)} trial ends ${when}`,
    heading: `Your trial ends ${when}`,
    paragraphs: [
      `After that, your key gets a 402 until ${sellsPlans ? 'you choose a plan' : 'the operator of this service gives you a plan'}. You won’t lose anything in your account.`,
    ],
    button: toPlans({ link, sellsPlans }),
  })
}

/** Sent when a trial ended and no plan was chosen. */
export const trialSuspended = (brand: string, { link, sellsPlans }: Ending): Message =>
  layOut(brand, {
    kind: 'trial_suspended',
    subject: `Your ${capital(brand)} trial has ended`,
    heading: 'Your trial has ended',
    paragraphs: [
      `Your key now gets a 402. ${sellsPlans ? 'Choose a plan' : 'Ask the operator of this service for a plan'}, and it works again right away. You keep your key and your account.`,
    ],
    button: toPlans({ link, sellsPlans }),
  })

const toPlans = ({ link, sellsPlans }: Ending) => ({ label: sellsPlans ? 'Choose a plan' : 'Open my account', link })
