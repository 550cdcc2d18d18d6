import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { isQuireError } from '@quire/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { peakBytes, residentBytes } from '../uploads/process.ts'
import { act, type Act } from './act.ts'
import { sound, type Reaction } from './engine.ts'
import { fail, flood, garble, hang, hangUp, lie, redirectTo, type Flood } from './misbehaviours.ts'
import { openWorld, repository, type World } from './world.ts'

const timeoutMs = 1000
// The promise is 15 s (TRUST F21) with a timeout of 14 s. Here, the timeout is 1 s.
const longestMs = 5000
const mebibyte = 1024 * 1024

let world: World
let elsewhere: ReturnType<typeof createServer>
let elsewhereUrl = ''
let hitsElsewhere = 0
const flooded: Flood = { sent: 0 }

beforeAll(async () => {
  world = await openWorld({ timeoutMs })
  elsewhere = createServer((_request, response) => {
    hitsElsewhere += 1
    response.end('{}')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an AddressInfo.
  elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/elsewhere`
}, 60_000)
afterAll(async () => {
  elsewhere.close()
  await world.close()
})

/**
 * The known outcome of an action after a bad answer: the engine did not perform it, or nobody can
 * tell.
 */
type Outcome = 'refused' | 'unknown'

interface Way {
  readonly how: string
  readonly outcome: Outcome
  /** Null: the engine is not running. */
  readonly reaction: () => Reaction | null
}

const ways: readonly Way[] = [
  { how: 'is down', outcome: 'refused', reaction: () => null },
  { how: 'takes too long', outcome: 'unknown', reaction: () => hang },
  { how: 'fails with 500', outcome: 'unknown', reaction: () => fail },
  { how: 'answers 302', outcome: 'refused', reaction: () => redirectTo(elsewhereUrl) },
  { how: 'answers with half of a JSON text', outcome: 'unknown', reaction: () => garble },
  { how: 'answers with 1 GiB', outcome: 'unknown', reaction: () => flood(flooded) },
  { how: 'answers with wrong types', outcome: 'unknown', reaction: () => lie },
  { how: 'hangs up in the middle', outcome: 'unknown', reaction: () => hangUp },
]

const actions: readonly Omit<Act, 'packageName'>[] = [
  { event: 'start' },
  { event: 'approve', comment: 'Fine' },
  { event: 'reject', comment: 'Not yet' },
  { event: 'route', targetStep: 'legal' },
]

const table = ways.flatMap((way) => actions.map((action) => ({ ...way, ...action, action })))

/** A package that waits for an action. */
async function waitingFor({ event }: Pick<Act, 'event'>): Promise<string> {
  world.engine.reactBy(sound)
  const packageName = await world.aPackage()
  if (event !== 'start') await world.client.workflow.event({ event: 'start', ...named(packageName) })
  return packageName
}

function named(packageName: string) {
  return { repositoryId: repository, packageName }
}

/** The state of a package and its review. */
async function standing(packageName: string) {
  const location = { repo: repository, packageName }
  const { state, id } = await world.client.packages.get(location)
  const { workflowInfo } = await world.client.workflow.get(location)
  return { id, state, workflowInfo }
}

/** The number of activity entries for the review of a package. */
async function logged(entityId: string): Promise<number> {
  const asked = { configId: repository, entityId, event: 'PACKAGE_WORKFLOW' } as const
  return (await world.client.activity.list(asked)).items.length
}

/** Performs an action while the engine misbehaves, and reads the package meanwhile. */
async function actUnder({ reaction }: Way, wanted: Act) {
  const { engine, served } = world
  const react = reaction()
  if (react) engine.reactBy(react)
  else await engine.close()
  const acting = act(served, wanted)
  const start = performance.now()
  // A cancellation deletes the package, sometimes before the last of them has read it.
  const gone = (error: unknown) => {
    if (wanted.event === 'cancel' && isQuireError(error) && error.code === 'not_found') return null
    throw error
  }
  const others = await Promise.all(Array.from({ length: 5 }, () => standing(wanted.packageName).catch(gone)))
  const othersTook = performance.now() - start
  const acted = await acting
  if (react) engine.reactBy(sound)
  else await engine.reopen()
  return { acted, others, othersTook }
}

describe('an engine', () => {
  it.each(table)(
    'that $how at $event changes nothing, and performs the action once when it is repeated',
    async ({ action, ...way }) => {
      const { engine, served } = world
      const packageName = await waitingFor(action)
      const before = await standing(packageName)
      const wanted = { ...action, packageName, key: `${way.how} at ${action.event}` }
      const { acted, others, othersTook } = await actUnder(way, wanted)

      expect(acted).toMatchObject({ status: 400, body: { success: false, code: 'workflow_failed' } })
      expect(acted.body.message).toMatch(/engine/)
      expect(acted.body.error).toBe(acted.body.message)
      expect(acted.body.workflowInfo).toEqual(before.workflowInfo)
      expect(acted.took).toBeLessThan(longestMs)
      expect(othersTook).toBeLessThan(longestMs)
      for (const other of [...others, await standing(packageName)]) expect(other).toEqual(before)

      const again = await act(served, wanted)
      expect(again.body).toMatchObject({ success: true })
      const accepted = engine.accepted.filter((one) => one.packageName === packageName)
      const start = action.event === 'start' ? [] : ['start']
      expect(accepted.map((one) => one.action)).toEqual([...start, action.event])
      const { workflowInfo } = again.body
      expect(workflowInfo?.history.map((one) => one.action)).toEqual(accepted.map((one) => one.action))
      expect(await logged(before.id)).toBe(accepted.length)
      expect(timesOf(accepted.at(-1)?.key)).toBeGreaterThanOrEqual(way.outcome === 'unknown' ? 2 : 1)
    },
    30_000,
  )

  it.each(ways)('that $how at cancel does not prevent the deletion of the package', async (way) => {
    const packageName = await waitingFor({ event: 'cancel' })
    const { id } = await standing(packageName)
    const { acted } = await actUnder(way, { event: 'cancel', packageName, key: `${way.how} at cancel` })
    expect(acted).toMatchObject({ status: 200, body: { success: true } })
    expect(acted.took).toBeLessThan(longestMs)
    await expect(standing(packageName)).rejects.toMatchObject({ code: 'not_found' })
    const { workflowInfo } = await world.client.workflow.get({ repo: repository, packageName: id })
    expect(workflowInfo).toEqual(acted.body.workflowInfo)
    expect(workflowInfo?.history.map((one) => one.action)).toEqual(['start', 'cancel', 'status_update'])
    expect(workflowInfo?.history.at(-1)?.comment).toMatch(/engine/)
  })

  it('that redirects is not followed', () => {
    expect(hitsElsewhere).toBe(0)
  })

  it('that takes too long does not delay other requests', async () => {
    const packageName = await waitingFor({ event: 'approve' })
    world.engine.reactBy(hang)
    let isAnswered = false
    const acting = act(world.served, { event: 'approve', packageName }).finally(() => (isAnswered = true))
    await standing(packageName)
    expect(isAnswered).toBe(false)
    expect((await acting).took).toBeGreaterThan(timeoutMs - 50)
  })

  it('that answers with 1 GiB, ten times, costs less than 20 MB of memory', async () => {
    const { pid } = world.served.server
    const packageName = await waitingFor({ event: 'approve' })
    world.engine.reactBy(flood(flooded))
    await act(world.served, { event: 'approve', packageName })
    flooded.sent = 0
    const before = residentBytes(pid)
    const peak = await peakBytes(pid, async () => {
      for (let time = 0; time < 10; time++) {
        const { body } = await act(world.served, { event: 'approve', packageName })
        expect(body.message).toMatch(/more than 262144 bytes/)
      }
    })
    console.log(`memory grew by ${((peak - before) / mebibyte).toFixed(1)} MiB over ten answers of 1 GiB`)
    expect(peak - before).toBeLessThan(20 * mebibyte)
    // No more than the sockets' buffers can hold.
    expect(flooded.sent).toBeLessThan(10 * 16 * mebibyte)
  }, 60_000)
})

describe('an action that an engine performed without an answer', () => {
  it('takes effect after the service’s own retry, although no reviewer repeats it', async () => {
    const packageName = await waitingFor({ event: 'approve' })
    world.engine.reactBy(hang)
    await act(world.served, { event: 'approve', packageName })
    world.engine.reactBy(sound)
    const history = async () =>
      (await standing(packageName)).workflowInfo?.history.map(({ action, toStep }) => [action, toStep])
    await expect.poll(history, { timeout: 20_000 }).toEqual([
      ['start', 'editorial'],
      ['approve', 'legal'],
    ])
    await wait(1500)
    expect(await history()).toHaveLength(2)
  }, 40_000)
})

/** How often a key was received. */
function timesOf(key: string | undefined): number {
  return world.engine.asked.filter((one) => one.key === key).length
}
