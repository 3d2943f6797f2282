/** The request that caused something: its id and, if it is traced, its place in a trace as W3C Trace Context writes it. */
export type Origin = { request_id?: string; traceparent?: string; tracestate?: string }

/** Where work stands in a trace, as the headers of W3C Trace Context. */
export type TraceContext = Pick<Origin, 'traceparent' | 'tracestate'>

/** The trace that what came from here continues: none if it wasn't traced. */
export const traceOf = (origin: Origin | null | undefined): TraceContext => {
  const { traceparent, tracestate } = origin ?? {}
  return { traceparent, tracestate }
}

/** An origin as the database keeps it. */
export const writeOrigin = (origin: Origin | undefined): string | null => (origin ? JSON.stringify(origin) : null)
