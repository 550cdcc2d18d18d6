import type { Job, NewJob } from '../ports/index.ts'
import { headersOfTrace, noTrace, traceOfHeaders, type Trace, type TraceHeaders } from './trace.ts'

// In the payload, so that it needs no column in any store. It is an object, and callers see only
// the plain members of a payload.
const member = 'trace'

/** A job that continues a trace, in whichever process it runs. */
export function withTrace(job: NewJob, trace: Trace): NewJob {
  const headers = headersOfTrace(trace)
  return headers ? { ...job, payload: { ...job.payload, [member]: { ...headers } } } : job
}

/** A job as it was queued, and its trace. */
export interface TracedJob {
  readonly job: Job
  readonly trace: Trace
}

/** The inverse of `withTrace`. */
export function splitTrace(job: Job): TracedJob {
  const { [member]: headers, ...payload } = job.payload
  if (headers === undefined) return { job, trace: noTrace }
  // Only `withTrace` writes this member.
  return { job: { ...job, payload }, trace: traceOfHeaders(headers as unknown as TraceHeaders) }
}
