import type { Job, JobWriter, NewJob } from '@quire/core/ports'
import type { Footprint } from './footprint.ts'

const jobKeys = {
  one: (id: string) => `job ${id}`,
  /** The unfinished job with a key. */
  named: (key: string) => `job named ${key}`,
  subject: (subject: string) => `jobs of ${subject}`,
  all: 'jobs',
} as const

/**
 * Notes what a transaction reads and writes of jobs. Every method is named. Claims and the reports
 * of workers read nothing that others could change unnoticed: each is one update with a condition.
 */
export function watchJobs(jobs: JobWriter, footprint: Footprint): JobWriter {
  const write = ({ id, key, subject }: Pick<NewJob, 'id' | 'key' | 'subject'>) =>
    footprint.write(
      jobKeys.one(id),
      jobKeys.subject(subject),
      jobKeys.all,
      ...(key === null ? [] : [jobKeys.named(key)]),
    )
  const changed = async (change: Promise<Job | null>) => {
    const job = await change
    if (job) write(job)
    return job
  }
  return {
    get(id) {
      footprint.read(jobKeys.one(id))
      return jobs.get(id)
    },
    findUnended(key) {
      footprint.read(jobKeys.named(key))
      return jobs.findUnended(key)
    },
    list(query) {
      footprint.read(query.subject === undefined ? jobKeys.all : jobKeys.subject(query.subject))
      return jobs.list(query)
    },
    count(query) {
      footprint.read(query.subject === undefined ? jobKeys.all : jobKeys.subject(query.subject))
      return jobs.count(query)
    },
    counts() {
      footprint.read(jobKeys.all)
      return jobs.counts()
    },
    running(limit) {
      footprint.read(jobKeys.all)
      return jobs.running(limit)
    },
    nextDue(kinds) {
      footprint.read(jobKeys.all)
      return jobs.nextDue(kinds)
    },
    enqueue(job) {
      if (job.key !== null) footprint.read(jobKeys.named(job.key))
      write(job)
      return jobs.enqueue(job)
    },
    async claim(claim) {
      // One claim at a time, so that the jobs of a subject begin in order.
      await footprint.hold('claims')
      const claimed = await jobs.claim(claim)
      for (const job of claimed) write(job)
      return claimed
    },
    beat: (id, lease, progress) => changed(jobs.beat(id, lease, progress)),
    finish(end) {
      footprint.write(jobKeys.one(end.id), jobKeys.all)
      return jobs.finish(end)
    },
    release: (seen, end) => changed(jobs.release(seen, end)),
    cancel: (id, at) => changed(jobs.cancel(id, at)),
    retry: (id, runAt) => changed(jobs.retry(id, runAt)),
    sweep: (query) => jobs.sweep(query),
  }
}
