import { expect, it, vi } from 'vitest'
import { createQuire, systemIdentity } from '../../index.ts'
import { createMemoryStore, memorySecrets } from '../../memory/index.ts'

/** Two engines on one store, of which the first queues and the second works; `tell` tells who follows. */
async function queueAndWorker() {
  const following = new Set<() => void>()
  const follow = (wake: () => void) => {
    following.add(wake)
    return () => void following.delete(wake)
  }
  const [store, secrets] = [{ ...createMemoryStore(), dispatch: { follow } }, memorySecrets()]
  const queueing = createQuire({ store, secrets, jobs: 'elsewhere' })
  const working = createQuire({ store, secrets })
  const api = queueing.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine' })
  return { queueing, working, api, following, notify: () => [...following].forEach((wake) => wake()) }
}

it('a worker that is told of a job begins it at once, whoever queued it', async () => {
  const { queueing, working, api, notify } = await queueAndWorker()
  working.work()
  await working.settled()
  const { message } = await api.admin.process({ id: 'magazine', syncDocs: true })
  const [jobId = ''] = /JOB_\w+/.exec(message) ?? []
  const started = performance.now()
  notify()
  await vi.waitFor(async () => expect(await api.queue.get({ jobId })).toMatchObject({ state: 'succeeded' }))
  // It would look by itself after a second.
  expect(performance.now() - started).toBeLessThan(900)
  await Promise.all([queueing.close(), working.close()])
})

it('follows from the start of the work to its end, and not where jobs are done elsewhere', async () => {
  const { queueing, working, following } = await queueAndWorker()
  expect(following.size).toBe(0)
  queueing.work()
  expect(following.size).toBe(0)
  working.work()
  working.work()
  expect(following.size).toBe(1)
  await Promise.all([queueing.close(), working.close()])
  expect(following.size).toBe(0)
})
