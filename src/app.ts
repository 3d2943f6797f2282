import { apiKeyRoutes } from './accounts/api-key/routes.ts'
import { collectionRoutes } from './accounts/collection/routes.ts'
import { emailRoutes } from './accounts/email/routes.ts'
import { managedInviteRoutes } from './accounts/invites/managed-routes.ts'
import { inviteRoutes } from './accounts/invites/routes.ts'
import { meRoutes } from './accounts/me/routes.ts'
import { passwordRoutes } from './accounts/password/routes.ts'
import { managedUserRoutes } from './accounts/people/routes.ts'
import { sessionRoutes } from './accounts/sessions/routes.ts'
import { signupRoutes } from './accounts/signup/routes.ts'
import { slotRoutes } from './accounts/slots/routes.ts'
import { subscriptionRoutes } from './accounts/subscription-routes.ts'
import { usageRoutes } from './accounts/usage/routes.ts'
import { plansRoute } from './billing/plans-route.ts'
import { billingRoutes } from './billing/routes.ts'
import { historyRoutes } from './catalog/api/history/routes.ts'
import { checklistReads } from './catalog/api/hosted/checklist.ts'
import { imageRoutes } from './catalog/api/image-routes.ts'
import { followMerges } from './catalog/api/merged/redirects.ts'
import { operationRoutes } from './catalog/api/operations/routes.ts'
import { catalogRoutesInV1 } from './catalog/api/routes-v1.ts'
import { catalogRoutesInV2 } from './catalog/api/routes-v2.ts'
import { searchRoutes } from './catalog/api/search-routes.ts'
import { statsRoutes } from './catalog/api/stats-routes.ts'
import { bulkRoutes, feedRoutes } from './catalog/api/sync-routes.ts'
import type { Context } from './context.ts'
import { pageRoutes, showMissing } from './dashboard/routes.ts'
import { docsRoutes } from './http/docs/routes.ts'
import { healthRoutes } from './http/health.ts'
import { mountRoutes } from './http/mount.ts'
import type { Route } from './http/route.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { clientRoutes } from './oauth/clients.ts'
import { personalTokenRoutes } from './oauth/personal-tokens.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { tokenRoutes } from './oauth/token-routes.ts'
import { salesReadinessRoutes } from './operations/analytics/readiness/routes.ts'
import { customerUsageRoutes } from './operations/analytics/usage/routes.ts'
import { auditRoutes } from './operations/audit/routes.ts'
import { batchRoutes } from './operations/batches/routes.ts'
import { checklistWrites } from './operations/checklists/routes.ts'
import { operatedClientRoutes } from './operations/clients/routes.ts'
import { duplicateRoutes } from './operations/duplicates/routes.ts'
import { importRoutes } from './operations/imports/routes.ts'
import { jobRoutes } from './operations/jobs.ts'
import { mergeRoutes } from './operations/merges/routes.ts'
import { metricsRoutes } from './operations/metrics/routes.ts'
import { publicationRoutes } from './operations/publication/routes.ts'
import { revertRoutes } from './operations/reverts.ts'
import { splitRoutes } from './operations/splits/routes.ts'
import { workflowRoutes } from './operations/workflow/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Every route of the API, room by room. */
export const routes: Route[] = followMerges([
  ...healthRoutes,
  ...metricsRoutes,
  ...docsRoutes(() => routes),
  ...oauthRoutes,
  ...tokenRoutes,
  ...clientRoutes,
  ...personalTokenRoutes,
  ...signupRoutes,
  ...slotRoutes,
  ...inviteRoutes,
  ...sessionRoutes,
  ...meRoutes,
  ...passwordRoutes,
  ...emailRoutes,
  ...apiKeyRoutes,
  ...subscriptionRoutes,
  ...usageRoutes,
  ...billingRoutes,
  ...collectionRoutes,
  ...webhookRoutes,
  ...catalogRoutesInV1,
  ...catalogRoutesInV2,
  ...historyRoutes,
  ...operationRoutes,
  ...searchRoutes,
  ...feedRoutes,
  ...bulkRoutes,
  ...imageRoutes,
  ...statsRoutes,
  ...checklistReads,
  ...checklistWrites,
  ...mcpRoutes,
  ...customerUsageRoutes,
  ...salesReadinessRoutes,
  ...operatedClientRoutes,
  ...managedInviteRoutes,
  ...managedUserRoutes,
  ...batchRoutes,
  ...auditRoutes,
  ...importRoutes,
  ...duplicateRoutes,
  ...revertRoutes,
  ...mergeRoutes,
  ...splitRoutes,
  ...jobRoutes,
  ...publicationRoutes,
  ...workflowRoutes,
])

/** The HTTP application: the API and its pages. HEAD is answered like GET, without the body. */
export const makeApp = (context: Context) =>
  mountRoutes(context, [...routes, ...pageRoutes([...slotRoutes, plansRoute])], showMissing)
