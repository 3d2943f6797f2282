import type { PagePath, pathsOf } from './browser/paths.ts'

/** The pages that the service doesn't draw. */
type InBrowser = (typeof pathsOf)['collection' | 'account' | 'operations'][number]

/** The titles of pages that the browser draws, for readers of the bare HTML. Their components have the same titles. */
export const titles: Partial<Record<PagePath, string>> & Record<InBrowser, string> = {
  '/collection': 'My collection',
  '/collection/wants': 'My want list',
  '/signup': 'Sign up',
  '/verify': 'Verify your address',
  '/signin': 'Sign in',
  '/forgot-password': 'Forgot your password?',
  '/reset-password': 'Set a new password',
  '/confirm-email': 'Your new address',
  '/undo-email': 'Undo the address change',
  '/getting-started': 'Getting started',
  '/account': 'Account',
  '/account/clients': 'Clients · Account',
  '/account/tokens': 'Tokens · Account',
  '/account/webhooks': 'Webhooks · Account',
  '/account/webhooks/:id': 'Webhook · Account',
  '/account/settings': 'Settings · Account',
  '/operations': 'Operations',
  '/operations/board': 'Board · Operations',
  '/operations/sets/:id': 'Set workflow · Operations',
  '/operations/workflows': 'Workflows · Operations',
  '/operations/workflows/:id': 'Workflows for drafts · Operations',
  '/operations/duplicates': 'Duplicates · Operations',
  '/operations/merges': 'Merges · Operations',
  '/operations/merge': 'Merge · Operations',
  '/operations/split/:id': 'Split a player · Operations',
  '/operations/deleted': 'Deleted · Operations',
  '/operations/imports': 'Imports · Operations',
  '/operations/imports/:id': 'Import · Operations',
  '/operations/batches': 'Batches · Operations',
  '/operations/batches/:id': 'Card batch · Operations',
  '/operations/jobs': 'Jobs · Operations',
  '/operations/people': 'People · Operations',
  '/operations/invites': 'Invites · Operations',
  '/operations/clients': 'Clients · Operations',
  '/operations/clients/:id': 'Client · Operations',
  '/operations/webhooks': 'Webhooks · Operations',
  '/operations/webhooks/:id': 'Webhook · Operations',
  '/operations/audit-log': 'Audit log · Operations',
  '/operations/audit-log/:id': 'Audit log entry · Operations',
  '/operations/usage': 'Usage · Operations',
  '/operations/readiness': 'Readiness · Operations',
}

/** Descriptions for crawlers and link previews, for the pages that anyone may open. The others are not meant for them. */
export const descriptions: Partial<Record<PagePath, string>> = {
  '/collection': 'Tick the cards you have or want: your collection is kept in your browser, without an account.',
  '/signup': 'Sign up for a key to the API of this trading-card catalog: a free trial, no credit card needed.',
  '/signin': 'Sign in to see your key, your usage and your plan.',
  '/getting-started':
    'Go from a key to your first answer: requests for trading cards, sets and players that you can copy and run.',
}
