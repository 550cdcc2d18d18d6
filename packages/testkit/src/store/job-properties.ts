import type { Job, JobQuery, NewJob, Store } from '@quire/core/ports'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { StoreTest } from './fixture.ts'
import { changesOf, expectCounts, expectList, unended, type JobChanges, type JobModel } from './job-model.ts'
import { aJob } from './job-samples.ts'

/** The same cases on every run, so that a failure means that the code changed. */
const SEED = 20_260_101
const RUNS = 60

/** Random histories of a queue, compared with the model. */
export function jobProperties(test: StoreTest): void {
  describe('of random histories', () => {
    test('a queue answers and contains the same as a plain model', async ({ store }) => {
      let run = 0
      const property = fc.asyncProperty(fc.array(draw, { minLength: 1, maxLength: 40 }), async (draws) => {
        run += 1
        const world: World = { run, model: new Map(), stepCount: 0 }
        for (const drawn of draws) await take(store, world, drawn)
        await expectSame(store, world)
      })
      await fc.assert(property, { seed: SEED, numRuns: RUNS })
    }, 60_000)
  })
}

/** The data of one run, which has its own kinds, subjects, keys and repositories in the store. */
interface World {
  readonly run: number
  readonly model: JobModel
  stepCount: number
}

async function take(store: Store, world: World, drawn: Drawn): Promise<void> {
  world.stepCount += 1
  const step = steps[drawn.method](world, drawn)
  const answer = await store.transaction((tx) => step.take(tx.jobs))
  expect(answer, `${drawn.method} ${JSON.stringify(step.asked)}`).toEqual(
    await step.take(changesOf(world.model)),
  )
}

async function expectSame(store: Store, { run, model }: World): Promise<void> {
  const ofRun = ({ kind }: { kind: string }) => kind.startsWith(`${run}/`)
  for (const query of queriesOf(run))
    expect(await store.jobs.list(query), JSON.stringify(query)).toEqual(expectList(model, query))
  const counts = (await store.jobs.counts()).filter(ofRun)
  expect(counts).toHaveLength(expectCounts(model).length)
  expect(counts).toEqual(expect.arrayContaining([...expectCounts(model)]))
  const running = expectList(model, { state: 'running', limit: 99 }).map(({ id }) => id)
  expect((await store.jobs.running(9999)).filter(ofRun).map(({ id }) => id)).toEqual(running.toReversed())
  for (const key of ['k', 'l'])
    expect(await store.jobs.findUnended(`${run}/${key}`)).toEqual(unended(model, `${run}/${key}`))
  const kinds = [`${run}/a`, `${run}/b`]
  const due = kinds.flatMap((kind) => {
    const queued = expectList(model, { kind, state: 'queued', limit: 99 }).map(({ runAt }) => runAt)
    return queued.length === 0 ? [] : [[kind, Math.min(...queued)] as const]
  })
  expect(await store.jobs.nextDue(kinds)).toEqual(new Map(due))
}

function queriesOf(run: number): readonly JobQuery[] {
  const [kind, subject, before] = [`${run}/a`, `${run}/x`, `${run}/JOB_3`]
  const repositoryIds = [`${run}/R`, `${run}/S`]
  return [
    { kind, limit: 99 },
    { kind, state: 'queued', limit: 3 },
    { kind, state: 'failed', before, limit: 3 },
    { kind, subject, limit: 5 },
    { subject, state: 'succeeded', limit: 5 },
    { subject, before, repositoryIds: [`${run}/R`], limit: 5 },
    { repositoryIds, limit: 99 },
    { repositoryIds, limit: 7 },
    { repositoryIds, state: 'running', limit: 7 },
    { repositoryIds, kind, state: 'cancelled', limit: 7 },
  ]
}

const time = fc.nat(9)

const draw = fc.record({
  method: fc.constantFrom(
    ...(['enqueue', 'enqueue', 'enqueue', 'claim', 'claim', 'beat', 'finish', 'finish'] as const),
    ...(['release', 'cancel', 'retry', 'sweep'] as const),
  ),
  kind: fc.constantFrom('a', 'a', 'b'),
  subject: fc.constantFrom('x', 'y', 'z'),
  repository: fc.constantFrom('R', 'S'),
  key: fc.constantFrom(null, null, 'k', 'l'),
  state: fc.constantFrom('succeeded', 'failed', 'cancelled', 'queued'),
  /** Chooses among the existing jobs. */
  which: fc.nat(),
  /** Whether the worker has lost its lease. */
  isLate: fc.nat(4).map((number) => number === 0),
  number: fc.nat(3),
  at: time,
  now: time,
})

type Drawn = typeof draw extends fc.Arbitrary<infer T> ? T : never

/** A change of the queue, in a store or in the model. */
interface Step {
  readonly asked: unknown
  readonly take: (jobs: JobChanges) => Promise<unknown>
}

/** The call of each method, for the jobs that exist at that time. */
const steps: Readonly<Record<keyof JobChanges, (world: World, drawn: Drawn) => Step>> = {
  enqueue(world, drawn) {
    const job = newJobOf(world, drawn)
    return { asked: job, take: (jobs) => jobs.enqueue(job) }
  },
  claim({ run }, { kind, subject, isLate, at, now, number }) {
    const except = isLate ? [`${run}/${subject}`] : []
    const asked = { kind: `${run}/${kind}`, now, limit: at, each: number, except }
    return { asked, take: (jobs) => jobs.claim(asked) }
  },
  beat({ model }, drawn) {
    const { id, lease } = targetOf(model, drawn)
    const progress = drawn.at > 4 ? { done: drawn.at, total: 9, message: 'm' } : undefined
    return { asked: [id, lease, progress], take: (jobs) => jobs.beat(id, lease, progress) }
  },
  finish({ model }, { state, at, number, ...drawn }) {
    const { id, lease } = targetOf(model, drawn)
    const error = state === 'failed' || number === 1 ? 'x' : null
    const asked = { id, lease, state, at, error, result: number > 1 ? { number } : null }
    return { asked, take: (jobs) => jobs.finish(asked) }
  },
  release({ run, model }, { kind, at, ...drawn }) {
    const seen = { kind: `${run}/${kind}`, ...targetOf(model, drawn) }
    return { asked: seen, take: (jobs) => jobs.release(seen, { at, error: 'gone' }) }
  },
  cancel({ model }, { at, ...drawn }) {
    const { id } = targetOf(model, drawn)
    return { asked: [id, at], take: (jobs) => jobs.cancel(id, at) }
  },
  retry({ model }, { at, ...drawn }) {
    const { id } = targetOf(model, drawn)
    return { asked: [id, at], take: (jobs) => jobs.retry(id, at) }
  },
  sweep({ run, model }, { kind: letter, at: before, number }) {
    const kind = `${run}/${letter}`
    const asked = { kind, before, limit: isOrdered(model, kind, before) ? number : 99 }
    return { asked, take: (jobs) => jobs.sweep(asked) }
  },
}

function newJobOf({ run, stepCount }: World, { which, key, number, at, ...drawn }: Drawn): NewJob {
  return aJob(`${run}/JOB_${which % 10}_${stepCount}`, {
    kind: `${run}/${drawn.kind}`,
    subject: `${run}/${drawn.subject}`,
    repositoryId: `${run}/${drawn.repository}`,
    key: key && `${run}/${key}`,
    maxAttempts: number,
    payload: { number },
    body: null,
    runAt: at,
  })
}

/** A job with a lease and a beat that a worker may have seen. */
function targetOf(
  model: JobModel,
  { which, isLate }: Pick<Drawn, 'which' | 'isLate'>,
): Pick<Job, 'id' | 'lease' | 'beat'> {
  const jobs = [...model.values()]
  const job = jobs[which % Math.max(1, jobs.length)]
  if (!job) return { id: 'JOB_none', lease: 1, beat: 0 }
  const { id, lease, beat } = job
  return { id, lease: isLate ? lease - 1 : lease, beat }
}

/** Whether all swept jobs ended at different times: otherwise their order is not defined. */
function isOrdered(model: JobModel, kind: string, before: number): boolean {
  const times = [...model.values()].flatMap((job) =>
    job.kind === kind && job.finishedAt !== null && job.finishedAt < before ? [job.finishedAt] : [],
  )
  return new Set(times).size === times.length
}
