import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace'

/** Registers an SDK in this process, as a host does. Returns what exports its spans. */
export function registerSdk(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter()
  const spanProcessors = [new SimpleSpanProcessor({ exporter })]
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }))
  return exporter
}

/** Each span as a line, indented below its parent, in the order in which they began. */
export function treeOf(spans: readonly ReadableSpan[]): string[] {
  const ordered = spans.toSorted((one, other) => startOf(one) - startOf(other))
  const known = new Set(spans.map(idOf))
  const below = (parent: string | undefined, indent: string): string[] =>
    ordered
      .filter((span) => parentOf(span, known) === parent)
      .flatMap((span) => [`${indent}${span.name}`, ...below(idOf(span), `${indent}  `)])
  return below(undefined, '')
}

function startOf({ startTime: [seconds, nanoseconds] }: ReadableSpan): number {
  return seconds * 1e9 + nanoseconds
}

function idOf(span: ReadableSpan): string {
  return span.spanContext().spanId
}

function parentOf({ parentSpanContext }: ReadableSpan, known: ReadonlySet<string>): string | undefined {
  const id = parentSpanContext?.spanId
  return id !== undefined && known.has(id) ? id : undefined
}
