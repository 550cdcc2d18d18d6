import { expect, it, vi } from 'vitest'
import { createQuire, systemIdentity } from '../../index.ts'
import { createMemoryStore, memorySecrets } from '../../memory/index.ts'

/**
 * Two engines on one store: the first queues jobs, the second runs them. `notify` calls all
 * subscribers.
 */
async function queueAndWorker() {
  const subscribers = new Set<() => void>()
  const follow = (wake: () => void) => {
    subscribers.add(wake)
    return () => void subscribers.delete(wake)
  }
  const [store, secrets] = [{ ...createMemoryStore(), dispatch: { follow } }, memorySecrets()]
  const queueing = createQuire({ store, secrets, jobs: 'elsewhere' })
  const working = createQuire({ store, secrets })
  const api = queueing.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine' })
  return { queueing, working, api, subscribers, notify: () => [...subscribers].forEach((wake) => wake()) }
}

it('a worker that is notified of a job starts it at once, whichever process queued it', async () => {
  const { queueing, working, api, notify } = await queueAndWorker()
  working.work()
  await working.settled()
  const { message } = await api.admin.process({ id: 'magazine', syncDocs: true })
  const [jobId = ''] = /JOB_\w+/.exec(message) ?? []
  const started = performance.now()
  notify()
  await vi.waitFor(async () => expect(await api.queue.get({ jobId })).toMatchObject({ state: 'succeeded' }))
  // Without the notification it would poll after a second.
  expect(performance.now() - started).toBeLessThan(900)
  await Promise.all([queueing.close(), working.close()])
})

it('is subscribed while it works, and never where jobs run elsewhere', async () => {
  const { queueing, working, subscribers } = await queueAndWorker()
  expect(subscribers.size).toBe(0)
  queueing.work()
  expect(subscribers.size).toBe(0)
  working.work()
  working.work()
  expect(subscribers.size).toBe(1)
  await Promise.all([queueing.close(), working.close()])
  expect(subscribers.size).toBe(0)
})
