import type { JobContext, JobHandler } from '../../engine/job.ts'
import { splitTrace } from '../../engine/job-trace.ts'
import { inSpan, SpanKind } from '../../engine/trace.ts'
import type { Job, JsonObject } from '../../ports/index.ts'

/** Runs one attempt of a job in the trace of the call that queued it. Errors: those of the handler. */
export function runJob(stored: Job, handler: JobHandler, context: JobContext): Promise<JsonObject | null> {
  const { job, trace } = splitTrace(stored)
  const attributes = {
    'quire.job.kind': job.kind,
    'quire.job.id': job.id,
    'quire.job.attempt': job.attempts,
    ...(job.repositoryId !== '' && { 'quire.repository': job.repositoryId }),
  }
  const span = { name: `process ${job.kind}`, kind: SpanKind.CONSUMER, attributes }
  return inSpan(trace, span, (trace) => handler.run(job, { ...context, call: { ...context.call, trace } }))
}
