import type { TraceContext } from './origin.ts'

/** What a span says, by names of OpenTelemetry's semantic conventions. Undefined values are left out. */
export type Attributes = Record<string, string | number | boolean | undefined>

/** A piece of work, as a trace shows it. */
export type SpanTerms = {
  name: string
  kind: 'server' | 'client' | 'consumer'
  attributes: Attributes
  /** What it continues. Without it, it is a part of the work around it, and isn't shown if there is none. */
  from?: TraceContext
}

/** Adds to a span what turned out during its work, and the kind of its fault if it failed. */
export type Tell = (attributes: Attributes, fault?: string) => void

/** A statement that has ended: its text, without the values of its parameters, and when it was sent, by `performance.now()`. */
export type EndedStatement = { text: string; sentAt: number; error?: unknown }

/** The samplers that OTEL_TRACES_SAMPLER may name. */
export const samplerNames = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const
export type SamplerName = (typeof samplerNames)[number]

/** Shows what the service does as traces. */
export type Tracing = {
  trace: <T>(span: SpanTerms, work: (tell: Tell) => Promise<T>) => Promise<T>
  /** Where the work that is going on stands. Empty outside of any span. */
  current: () => TraceContext
  /** A statement begins. Returns what is told how it ended. Undefined if nobody sees it. */
  statement: () => ((ended: EndedStatement) => void) | undefined
  /** Sends what is left, for a second at most. Never fails. */
  close: () => Promise<void>
}

/** Runs work as a span if there are traces. */
export const traced = <T>(
  tracing: Tracing | undefined,
  span: SpanTerms,
  work: (tell: Tell) => Promise<T>,
): Promise<T> => (tracing ? tracing.trace(span, work) : work(() => {}))

/** A call to another service. */
export const callTo = (service: string, call: string): SpanTerms => ({
  name: `${service} ${call}`,
  kind: 'client',
  attributes: { 'peer.service': service },
})
