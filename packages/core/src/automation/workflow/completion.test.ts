import { QuireError } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { systemIdentity } from '../../engine/access/identity.ts'
import { newJob } from '../../engine/job.ts'
import { completeWiring } from '../../engine/call.ts'
import { createMemo, createShared } from '../../engine/shared.ts'
import { systemCall } from '../../engine/system-call.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { Job } from '../../ports/index.ts'
import { createQuire } from '../../quire.ts'
import { wholeEnvironment } from '../../whole-environment.ts'
import { workflowJobs } from './jobs.ts'
import { completionKind } from './records.ts'

const completing = new Map(workflowJobs).get(completionKind)

/**
 * A package whose review has completed, and the job that merges it. The first transactions of the
 * job fail with `failures`.
 */
async function aCompletion({ autoMerge = true, failures = [] }: { autoMerge?: boolean; failures?: Error[] }) {
  const store = createMemoryStore()
  const api = createQuire({ store }).as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine', settings: { workflow: { enabled: true, autoMerge } } })
  const on = { repo: 'magazine', packageName: 'spring' }
  const { id } = await api.packages.create({ repo: on.repo, name: on.packageName })
  await store.transaction(async ({ records }) => {
    const found = await records.get('package', id)
    if (!found) throw new Error('It was made above.')
    const { revision, ...record } = found
    await records.put('package', { ...record, state: 'completed' }, revision)
  })
  const left = [...failures]
  const failing: typeof store = {
    ...store,
    transaction: async (work) => {
      const failure = left.shift()
      if (failure) throw failure
      return store.transaction(work)
    },
  }
  const environment = wholeEnvironment({ store: failing })
  const call = systemCall(
    { environment, memo: createMemo(), shared: createShared(), wiring: completeWiring() },
    completionKind,
  )
  const request = { kind: completionKind, subject: id, key: `${completionKind}:${id}`, maxAttempts: 5 }
  const queued = await store.transaction((tx) => tx.jobs.enqueue(newJob(call, request)))
  const attempt = async (attempts: number) => {
    const job: Job = { ...queued, state: 'running', attempts }
    const context = { call, signal: new AbortController().signal, progress: () => undefined }
    return completing?.run(job, context).then(
      () => 'done',
      (error: unknown) => error,
    )
  }
  return { attempt, found: () => api.packages.get(on) }
}

describe('the merge of a completed package', () => {
  it.each([
    [new QuireError('unavailable', 'The store is busy.'), 'The store is busy.'],
    [new Error('CANARY'), 'Every attempt to merge failed. The log of the service shows the cause.'],
  ])(
    'has the reason of a failure after the last attempt, and not before: %s',
    async (failure, mergeError) => {
      const { attempt, found } = await aCompletion({ failures: [failure, failure] })
      expect(await attempt(4)).toBe(failure)
      expect(await found()).not.toHaveProperty('mergeError')
      expect(await attempt(5)).toBe(failure)
      expect(await found()).toMatchObject({ state: 'completed', mergeError })
    },
  )

  it('has the reason of a refusal at once', async () => {
    const failure = new QuireError('merge_conflict', 'They do not go together.')
    const { attempt, found } = await aCompletion({ failures: [failure] })
    expect(await attempt(1)).toMatchObject({ message: failure.message, isFinal: true })
    expect(await found()).toMatchObject({ state: 'completed', mergeError: failure.message })
  })
})
