import type { Route } from '../../http/route.ts'
import { actionableRoutes } from './actionable-routes.ts'
import { bulkRoutes, initializationRoutes } from './initialization-routes.ts'
import { todoRoutes } from './todo-routes.ts'
import { workflowRoute } from './workflow-route.ts'

/** A route under its path from before 1.0, marked as deprecated (decisions.md §10). */
const oldPath = (route: Route, path: string): Route => ({
  ...route,
  path,
  operationId: `${route.operationId}ByOldPath`,
  deprecated: true,
  summary: `${route.summary} (old path)`,
  description: `Deprecated: use \`${route.path.replaceAll(/:(\w+)/g, '{$1}')}\`.`,
})

const aliases = [
  oldPath(workflowRoute, '/internal/workflow/:set'),
  ...todoRoutes.map((route) => oldPath(route, route.path.replace('/internal/sets/', '/internal/workflow/'))),
  ...actionableRoutes.map((route) => oldPath(route, route.path.replace('/internal/', '/internal/workflow/'))),
  ...bulkRoutes.map((route) =>
    oldPath(route, route.path.replace('todo-initialization-jobs', 'workflow/bulk-initialize')),
  ),
]

/** The workflow of sets up to publication, for operators and their programs. */
export const workflowRoutes: Route[] = [
  ...todoRoutes,
  workflowRoute,
  ...actionableRoutes,
  ...initializationRoutes,
  ...aliases,
]
