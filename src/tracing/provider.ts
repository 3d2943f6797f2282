import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Log } from '../lib/log.ts'
import type { SamplerName } from '../lib/tracing.ts'

/** How traces are sampled and sent. */
export type TraceSettings = {
  serviceName: string
  version: string
  environment: string
  sampler: SamplerName
  ratio: number
  batches: {
    scheduledDelayMillis: number
    maxQueueSize: number
    maxExportBatchSize: number
    exportTimeoutMillis: number
  }
}

/**
 * What makes spans and sends them, in batches, in the background. The exporter reads its own variables (OTEL_EXPORTER_OTLP_…),
 * and the resource those about it. With a full queue, spans are dropped.
 */
export const openProvider = (settings: TraceSettings, log: Log): TracerProvider =>
  new TracerProvider({
    resource: defaultResource().merge(resourceOf(settings)).merge(detectResources({ detectors })),
    sampler: samplers[settings.sampler](settings.ratio),
    spanLimits: { attributeValueLengthLimit: longestValue },
    spanProcessors: [
      new BatchSpanProcessor({ ...settings.batches, exporter: sayWhenAway(new OTLPTraceExporter(), log) }),
    ],
  })

/** In characters. The longest statements are shorter. */
const longestValue = 16_384

const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector]

const resourceOf = ({ serviceName, version, environment }: TraceSettings) =>
  resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': crypto.randomUUID(),
    'deployment.environment.name': environment,
  })

const samplers: Record<SamplerName, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

/** Logs when a collector begins to refuse spans or to be away, and when it takes them again, however often it is tried. */
const sayWhenAway = (exporter: SpanExporter, log: Log): SpanExporter => {
  let isAway = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { code, error } = result
        const fails = code !== ExportResultCode.SUCCESS
        if (fails && !isAway) log.warn('traces not sent', { message: sayFault(error) })
        if (!fails && isAway) log.info('traces sent again')
        isAway = fails
        done(result)
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}

const sayFault = (error: (Error & { code?: string | number }) | undefined) =>
  [error?.code, error?.message].filter(Boolean).join(' ') || 'The collector is away.'
