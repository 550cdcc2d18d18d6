import { createOpenArticle } from '../things.ts'
import type { Targets } from '../targets.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about jobs. */
export const queue: InputMakers<'queue'> = {
  list: async (at) => {
    await queuedJob(at)
    return { repositoryId: at.configId, limit: 3 }
  },
  stats: () => ({}),
  get: queuedJob,
  // A finished job, because the stream of an unfinished one would not end.
  watch: cancelledJob,
  cancel: queuedJob,
  retry: cancelledJob,
}

// Far enough in the future that nothing becomes due while the requests are sent.
const day = 24 * 60 * 60 * 1000

/** A job that publishes an article tomorrow. */
async function queuedJob(at: Targets) {
  const { system, configId, made } = at
  const { id } = await createOpenArticle(at)
  await system.items.publish({ configId, id, at: Date.now() + day })
  const { items } = await system.queue.list({ repositoryId: configId, kind: 'item.publish', limit: 1 })
  const jobId = items[0]?.id ?? ''
  made.add(jobId)
  return { jobId }
}

async function cancelledJob(at: Targets) {
  const job = await queuedJob(at)
  await at.system.queue.cancel(job)
  return job
}
