import { AuditEntry } from './operations/audit/audit-entry.tsx'
import { AuditLog } from './operations/audit/audit-log.tsx'
import { Board } from './operations/board/board.tsx'
import { Initialization } from './operations/board/initialization.tsx'
import { SetWorkflow } from './operations/board/set-workflow.tsx'
import { Workflows } from './operations/board/workflows.tsx'
import { Deleted } from './operations/curation/deleted.tsx'
import { Duplicates } from './operations/curation/duplicates.tsx'
import { Merge } from './operations/curation/merge.tsx'
import { Merges } from './operations/curation/merges.tsx'
import { Split } from './operations/curation/split.tsx'
import { ClientPage } from './operations/customers/client.tsx'
import { Clients } from './operations/customers/clients.tsx'
import { Invites } from './operations/customers/invites.tsx'
import { Usage } from './operations/customers/usage.tsx'
import { Import } from './operations/imports/import.tsx'
import { Imports } from './operations/imports/imports.tsx'
import { Batches } from './operations/jobs/batches.tsx'
import { CardBatch } from './operations/jobs/card-batch.tsx'
import { Jobs } from './operations/jobs/jobs.tsx'
import { Overview } from './operations/overview.tsx'
import { People } from './operations/people/people.tsx'
import { Readiness } from './operations/readiness/readiness.tsx'
import { OperatorWebhook, OperatorWebhooks } from './operations/webhooks.tsx'
import type { Views } from './paths.ts'
import { withId } from './with-id.tsx'

/** The pages of the operator console. */
export const views: Views = {
  '/operations': Overview,
  '/operations/board': Board,
  '/operations/sets/:id': withId(SetWorkflow),
  '/operations/workflows': Workflows,
  '/operations/workflows/:id': withId(Initialization),
  '/operations/duplicates': Duplicates,
  '/operations/merges': Merges,
  '/operations/merge': Merge,
  '/operations/split/:id': withId(Split),
  '/operations/deleted': Deleted,
  '/operations/imports': Imports,
  '/operations/imports/:id': withId(Import),
  '/operations/batches': Batches,
  '/operations/batches/:id': withId(CardBatch),
  '/operations/jobs': Jobs,
  '/operations/people': People,
  '/operations/invites': Invites,
  '/operations/clients': Clients,
  '/operations/clients/:id': withId(ClientPage),
  '/operations/webhooks': OperatorWebhooks,
  '/operations/webhooks/:id': withId(OperatorWebhook),
  '/operations/audit-log': AuditLog,
  '/operations/audit-log/:id': withId(AuditEntry),
  '/operations/usage': Usage,
  '/operations/readiness': Readiness,
}
