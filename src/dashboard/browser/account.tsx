import { Clients } from './account/clients.tsx'
import { ConfirmEmail } from './account/confirm-email.tsx'
import { ForgotPassword } from './account/forgot-password.tsx'
import { GettingStarted } from './account/getting-started.tsx'
import { Overview } from './account/overview.tsx'
import { ResetPassword } from './account/reset-password.tsx'
import { AccountSettings } from './account/settings.tsx'
import { SignIn } from './account/sign-in.tsx'
import { SignUp } from './account/sign-up.tsx'
import { Tokens } from './account/tokens.tsx'
import { UndoEmail } from './account/undo-email.tsx'
import { Verify } from './account/verify.tsx'
import { AccountWebhook, AccountWebhooks } from './account/webhooks.tsx'
import type { Views } from './paths.ts'
import { withId } from './with-id.tsx'

/** The account's pages, and the pages for signing up and signing in. */
export const views: Views = {
  '/signup': SignUp,
  '/verify': Verify,
  '/signin': SignIn,
  '/forgot-password': ForgotPassword,
  '/reset-password': ResetPassword,
  '/confirm-email': ConfirmEmail,
  '/undo-email': UndoEmail,
  '/getting-started': GettingStarted,
  '/account': Overview,
  '/account/clients': Clients,
  '/account/tokens': Tokens,
  '/account/webhooks': AccountWebhooks,
  '/account/webhooks/:id': withId(AccountWebhook),
  '/account/settings': AccountSettings,
}
