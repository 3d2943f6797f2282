import type { ComponentType } from 'preact'
import { useRoute } from 'preact-iso/router'
import { AuditEntry } from './operations/audit-entry.tsx'
import { AuditLog } from './operations/audit-log.tsx'
import { Batches } from './operations/batches.tsx'
import { Board } from './operations/board.tsx'
import { CardBatch } from './operations/card-batch.tsx'
import { ClientPage } from './operations/client.tsx'
import { Clients } from './operations/clients.tsx'
import { Import } from './operations/import.tsx'
import { Imports } from './operations/imports.tsx'
import { Initialization } from './operations/initialization.tsx'
import { Invites } from './operations/invites.tsx'
import { Jobs } from './operations/jobs.tsx'
import { Overview } from './operations/overview.tsx'
import { Readiness } from './operations/readiness.tsx'
import { SetWorkflow } from './operations/set-workflow.tsx'
import { Usage } from './operations/usage.tsx'
import { Workflows } from './operations/workflows.tsx'
import type { Views } from './views.ts'

/** A page of what has the id in the address: another id is another page. */
const withId = (Detail: ComponentType<{ id: string }>) => () => {
  const { id = '' } = useRoute().params
  return <Detail key={id} id={id} />
}

/** The pages of the operator console. */
export const views: Views = {
  '/operations': Overview,
  '/operations/board': Board,
  '/operations/sets/:id': withId(SetWorkflow),
  '/operations/workflows': Workflows,
  '/operations/workflows/:id': withId(Initialization),
  '/operations/imports': Imports,
  '/operations/imports/:id': withId(Import),
  '/operations/batches': Batches,
  '/operations/batches/:id': withId(CardBatch),
  '/operations/jobs': Jobs,
  '/operations/invites': Invites,
  '/operations/clients': Clients,
  '/operations/clients/:id': withId(ClientPage),
  '/operations/audit-log': AuditLog,
  '/operations/audit-log/:id': withId(AuditEntry),
  '/operations/usage': Usage,
  '/operations/readiness': Readiness,
}
