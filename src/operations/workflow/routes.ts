import type { Route } from '../../http/route.ts'
import { todoRoutes } from './todo-routes.ts'
import { workflowRoute } from './workflow-route.ts'

/** The way of sets to publication, for operators and for what works for them. */
export const workflowRoutes: Route[] = [...todoRoutes, workflowRoute]
