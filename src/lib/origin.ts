/** The request that caused something: its id and, if it is traced, its place in a trace as W3C Trace Context writes it. */
export type Origin = { request_id?: string; traceparent?: string; tracestate?: string }

/** An origin as the database keeps it. */
export const writeOrigin = (origin: Origin | undefined): string | null => (origin ? JSON.stringify(origin) : null)
