import type { PagePath, pathsOf } from './browser/paths.ts'

/** The pages that the service does not draw. */
type InBrowser = (typeof pathsOf)['account' | 'operations'][number]

/** The titles of the pages that a browser draws, as their components say them, for whoever reads the HTML alone. */
const inBrowser: Record<InBrowser, string> = {
  '/signup': 'Sign up',
  '/verify': 'Verify your address',
  '/signin': 'Sign in',
  '/forgot-password': 'Forgot your password?',
  '/reset-password': 'Set a new password',
  '/confirm-email': 'Your new address',
  '/undo-email': 'Undo the change of address',
  '/getting-started': 'Getting started',
  '/account': 'Account',
  '/account/clients': 'Clients · Account',
  '/account/tokens': 'Tokens · Account',
  '/account/settings': 'Settings · Account',
  '/operations': 'Operations',
  '/operations/board': 'Board · Operations',
  '/operations/sets/:id': 'Workflow of a set · Operations',
  '/operations/workflows': 'Workflows · Operations',
  '/operations/workflows/:id': 'Workflows for drafts · Operations',
  '/operations/duplicates': 'Duplicates · Operations',
  '/operations/merges': 'Merges · Operations',
  '/operations/merge': 'Merge · Operations',
  '/operations/split/:id': 'Split a player · Operations',
  '/operations/imports': 'Imports · Operations',
  '/operations/imports/:id': 'Import · Operations',
  '/operations/batches': 'Batches · Operations',
  '/operations/batches/:id': 'Card batch · Operations',
  '/operations/jobs': 'Jobs · Operations',
  '/operations/invites': 'Invites · Operations',
  '/operations/clients': 'Clients · Operations',
  '/operations/clients/:id': 'Client · Operations',
  '/operations/audit-log': 'Audit log · Operations',
  '/operations/audit-log/:id': 'Entry of the audit log · Operations',
  '/operations/usage': 'Usage · Operations',
  '/operations/readiness': 'Readiness · Operations',
}

/** What crawlers and previews are told of the pages that anybody may open by their address; the others are not for them. */
export const descriptions: Partial<Record<PagePath, string>> = {
  '/signup': 'Sign up for a key to the API of this trading-card catalog: a free trial, no credit card needed.',
  '/signin': 'Sign in to see your key, your usage and your plan.',
  '/getting-started':
    'From a key to the first answer: requests for trading cards, sets and players, to copy and to run.',
}

/** The title of the page at a path, where the HTML says what the browser will. */
export const titles: Partial<Record<PagePath, string>> = inBrowser
