import type { JobContext, JobHandler } from '../../engine/job-handler.ts'
import type { Job, JsonObject } from '../../ports/index.ts'
import { trimPictures } from '../renditions/trim.ts'
import { createFindings } from './find.ts'
import { lookAtBlobs, sweepBlobs, sweepTexts } from './maintenance.ts'

/** The jobs that look after all files of the service: remove what nothing needs, and read what is needed. */
export const fileMaintenance: ReadonlyMap<string, JobHandler> = new Map([
  ['blobs.sweep', { slots: 1, each: 1, run: sweep }],
  ['blobs.scrub', { slots: 1, each: 1, run: scrub }],
])

async function sweep(_job: Job, { call, signal, progress }: JobContext): Promise<JsonObject> {
  let done = 0
  const swept = await sweepBlobs(call.environment, () => {
    signal.throwIfAborted()
    progress({ done: (done += 1), total: 0, message: 'files that may not be needed' })
  })
  const texts = await sweepTexts(call, () => signal.throwIfAborted())
  const trimmed = await trimPictures(call, { step: () => signal.throwIfAborted() })
  return { ...swept, texts, ...trimmed }
}

/** What is missing or damaged is told in the log, and the first of it in the result. */
async function scrub(_job: Job, { call, signal, progress }: JobContext): Promise<JsonObject> {
  const findings = createFindings()
  const counts = { sound: 0, missing: 0, corrupt: 0, orphaned: 0 }
  let orphanedBytes = 0
  let done = 0
  for await (const { hash, state, isDerived, size } of lookAtBlobs(call.environment)) {
    signal.throwIfAborted()
    counts[state] += 1
    orphanedBytes += size ?? 0
    progress({ done: (done += 1), total: 0, message: 'files that were read' })
    if (state !== 'missing' && state !== 'corrupt') continue
    findings.add({ what: state, file: hash, isDerived })
    call.environment.log.write('error', `blob.${state}`, { hash, isDerived, requestId: call.requestId })
  }
  return { ...counts, orphanedBytes, findings: findings.stored }
}
