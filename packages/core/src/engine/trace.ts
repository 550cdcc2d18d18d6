import {
  context,
  createContextKey,
  createTraceState,
  INVALID_TRACEID,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace as opentelemetry,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api'
import { QuireError, TokenError } from '@quire/contract'
import { isRefusal } from './errors.ts'

export { ROOT_CONTEXT as noTrace, SpanKind, type Attributes, type Context as Trace } from '@opentelemetry/api'

/** The instrumentation scope of all spans. */
const scope = '@quire/core'

/** The headers of W3C Trace Context as somebody sent them. They are checked where they are read. */
export interface TraceHeaders {
  readonly traceparent: string
  readonly tracestate?: string
}

/**
 * The trace of a request: that of the active span, which is of the host's own instrumentation,
 * otherwise that of the headers.
 */
export function traceOf(headers: TraceHeaders | undefined): Context {
  const active = context.active()
  if (headers === undefined || opentelemetry.getSpanContext(active)) return active
  return withHeaders(active, headers)
}

/** A trace that continues the one in the headers; without one if the headers are invalid. */
export function traceOfHeaders(headers: TraceHeaders): Context {
  return withHeaders(ROOT_CONTEXT, headers)
}

function withHeaders(parent: Context, headers: TraceHeaders): Context {
  const found = parseTraceHeaders(headers)
  return found ? opentelemetry.setSpanContext(parent, found) : parent
}

/** Version 00 of the header alone: nobody can tell what a later one holds. */
const traceparentForm = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/**
 * The span that the headers name; null if `traceparent` is not valid. A `tracestate` of more than
 * 512 characters is ignored, as are invalid entries of it.
 */
export function parseTraceHeaders({ traceparent, tracestate }: TraceHeaders): SpanContext | null {
  const [, traceId, spanId, flags] = traceparentForm.exec(traceparent) ?? []
  if (traceId === undefined || spanId === undefined) return null
  const traceFlags = Number.parseInt(flags ?? '', 16) & TraceFlags.SAMPLED
  const state = tracestate === undefined ? undefined : createTraceState(tracestate)
  const isEmpty = state === undefined || state.serialize() === ''
  return { traceId, spanId, traceFlags, isRemote: true, ...(!isEmpty && { traceState: state }) }
}

/** The headers that continue a trace elsewhere; null if there is no trace. */
export function headersOfTrace(trace: Context): TraceHeaders | null {
  const span = opentelemetry.getSpanContext(trace)
  if (!span) return null
  const { traceId, spanId, traceFlags, traceState } = span
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0
  const tracestate = traceState?.serialize() ?? ''
  return {
    traceparent: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`,
    ...(tracestate !== '' && { tracestate }),
  }
}

/** The id of the trace of a request, for the log of a transport; undefined if there is no trace. */
export function logTraceId(headers: TraceHeaders | undefined): string | undefined {
  return traceIdOf(traceOf(headers))
}

/** The id of a trace, for the log; undefined if there is no trace. */
export function traceIdOf(trace: Context): string | undefined {
  return opentelemetry.getSpanContext(trace)?.traceId
}

const ofCall = createContextKey('Quire span of the call or the job')
const ofCopy = createContextKey('Quire copy of the attributes of the call')

/** Adds attributes to the span of the call or the job, also from within its parts. */
export function describeCall(trace: Context, attributes: Attributes): void {
  // Only this file sets the values.
  const span = trace.getValue(ofCall) as Span | undefined
  span?.setAttributes(attributes)
  const copy = trace.getValue(ofCopy) as Attributes | undefined
  if (copy) Object.assign(copy, attributes)
}

/** The same trace, whose call is also described in `copy`. Without a trace nothing is. */
export function withCopy(trace: Context, copy: Attributes): Context {
  return trace === ROOT_CONTEXT ? trace : trace.setValue(ofCopy, copy)
}

/** Adds attributes to the current span of a trace. */
export function describeSpan(trace: Context, attributes: Attributes): void {
  opentelemetry.getSpan(trace)?.setAttributes(attributes)
}

/** Marks the current span of a trace as failed, with a word for the reason. */
export function failSpan(trace: Context, type: string): void {
  const span = opentelemetry.getSpan(trace)
  span?.setAttribute('error.type', type)
  span?.setStatus({ code: SpanStatusCode.ERROR })
}

/** A span to record. */
export interface SpanDescription {
  readonly name: string
  /** Default: internal. */
  readonly kind?: SpanKind
  /** Never content, names that people chose, addresses of people, or secrets. */
  readonly attributes: Attributes
}

/** Whether spans are recorded, or the headers may name a trace to pass on. */
export function isTraced(headers: TraceHeaders | undefined): boolean {
  return headers !== undefined || hasSdk()
}

function hasSdk(): boolean {
  const provider = opentelemetry.getTracerProvider()
  // That of another copy of the API, or one with an SDK behind it.
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(scope) !== undefined
}

/**
 * Runs a call or a job as a new span of `parent`, or as the first span of a new trace if `parent`
 * has none.
 */
export function inSpan<T>(
  parent: Context,
  description: SpanDescription,
  work: (trace: Context) => Promise<T>,
): Promise<T> {
  const span = startSpan(parent, description)
  // There is neither an SDK nor a trace that somebody sent.
  if (span.spanContext().traceId === INVALID_TRACEID) return work(ROOT_CONTEXT)
  return untilEnd(span, opentelemetry.setSpan(parent, span).setValue(ofCall, span), work)
}

/** Runs a part of a call or a job as a span of its own; without a span if it is in no trace. */
export function inPartSpan<T>(
  parent: Context,
  description: SpanDescription,
  work: (trace: Context) => Promise<T>,
): Promise<T> {
  if (!opentelemetry.getSpanContext(parent)) return work(parent)
  const span = startSpan(parent, description)
  return untilEnd(span, opentelemetry.setSpan(parent, span), work)
}

function startSpan(parent: Context, { name, kind, attributes }: SpanDescription): Span {
  // Looked up each time: an SDK may be registered later, through another copy of the API.
  const tracer = opentelemetry.getTracer(scope)
  return tracer.startSpan(name, { kind: kind ?? SpanKind.INTERNAL, attributes }, parent)
}

function untilEnd<T>(span: Span, trace: Context, work: (trace: Context) => Promise<T>): Promise<T> {
  return context.with(trace, async () => {
    try {
      return await work(trace)
    } catch (error) {
      recordFailure(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/**
 * Runs work with a trace as the active one. For work that another call may begin, whose trace would
 * be active.
 */
export function withActiveTrace<T>(trace: Context, work: () => T): T {
  return context.with(trace, work)
}

// The key by which OpenTelemetry's own libraries for JavaScript find it: `suppressTracing` of
// @opentelemetry/core, which is not part of the API.
const suppression = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/** Runs work for which instrumentation of the host records no spans and sends no headers. */
export function uninstrumented<T>(trace: Context, work: () => T): T {
  return context.with(trace.setValue(suppression, true), work)
}

/** Records why work failed: never the message, which may quote content. */
function recordFailure(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorTypeOf(error))
  if (!isExpected(error)) span.setStatus({ code: SpanStatusCode.ERROR })
}

function errorTypeOf(error: unknown): string {
  if (error instanceof QuireError) return error.code
  if (error instanceof TokenError) return error.message
  if (!(error instanceof Error)) return '_OTHER'
  return 'problem' in error ? String(error.problem) : error.name
}

/** Whether a failure is the caller's: refused, or they left. */
function isExpected(error: unknown): boolean {
  if (error instanceof QuireError) return isRefusal(error)
  return error instanceof TokenError || (error instanceof Error && error.name === 'AbortError')
}
