/*
 * Traces. The service opens them only if a collector is set, and loads OpenTelemetry only then. Spans are made around calls
 * in few places: requests (`http/trace-request.ts`), statements (`db/watch.ts`), jobs (`jobs/attempt.ts`), webhooks and calls
 * to others. The span at work goes along with the asynchronous calls. What many requests share (`lib/batched.ts`) is below
 * the first of them. A trace goes on in jobs and deliveries, which keep their place in it with their origin.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { Log } from '../lib/log.ts'
import type { Attributes, SpanTerms, Tracing } from '../lib/tracing.ts'
import { openProvider, type TraceSettings } from './provider.ts'
import { summaryOf } from './summary.ts'

/** Opens traces to the collector in the settings. */
export const openTracing = (settings: TraceSettings, log: Log): Tracing => {
  const provider = openProvider(settings, log)
  const tracer = provider.getTracer('cardstock', settings.version)
  const propagator = new W3CTraceContextPropagator()
  const active = new AsyncLocalStorage<Context>()

  const current: Tracing['current'] = () => {
    const carrier = {}
    const context = active.getStore()
    if (context) propagator.inject(context, carrier, defaultTextMapSetter)
    return carrier
  }
  const parentOf = ({ from }: SpanTerms) =>
    from ? propagator.extract(ROOT_CONTEXT, from, defaultTextMapGetter) : active.getStore()

  return {
    current,
    trace: async (terms, work) => {
      const parent = parentOf(terms)
      if (!parent) return work(() => {})
      const { name, kind, attributes } = terms
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent)
      const tell = (more: Attributes, fault?: string) => {
        span.setAttributes(more)
        if (fault) fail(span, fault)
      }
      try {
        return await active.run(trace.setSpan(parent, span), work, tell)
      } catch (error) {
        fail(span, faultOf(error))
        throw error
      } finally {
        span.end()
      }
    },
    statement: () => {
      const parent = active.getStore()
      if (!parent || !trace.getSpan(parent)?.isRecording()) return undefined
      const askedAt = performance.now()
      const span = tracer.startSpan('statement', { kind: SpanKind.CLIENT }, parent)
      return ({ text, sentAt, error }) => {
        const { operation, summary } = summaryOf(text)
        span.updateName(summary)
        span.setAttributes({
          'db.system.name': 'postgresql',
          'db.operation.name': operation,
          'db.query.summary': summary,
          'db.query.text': text,
          'cardstock.wait_ms': Math.max(0, Math.round(sentAt - askedAt)),
        })
        if (error !== undefined) fail(span, faultOf(error))
        span.end()
      }
    },
    close: async () => {
      await Promise.race([provider.shutdown().catch(() => {}), Bun.sleep(closeMilliseconds)])
    },
  }
}

const closeMilliseconds = 1000

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER }

const fail = (span: Span, fault: string) => {
  span.setAttribute('error.type', fault)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The kind of an error. Its message may say more than a trace should. */
const faultOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: string }
  return typeof code === 'string' ? code : (name ?? 'error')
}
