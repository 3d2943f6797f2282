import type { Route } from '../route.ts'

/** What a route says of itself in the document, and what Elysia keeps of it. */
export const openApiDetail = ({ operationId, summary, description, tag, deprecated }: Route) => ({
  operationId,
  summary,
  ...(description ? { description } : {}),
  tags: [tag],
  ...(deprecated ? { deprecated } : {}),
})
