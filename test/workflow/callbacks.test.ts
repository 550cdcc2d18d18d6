import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { act } from './act.ts'
import { notify, notifyText, textOf, signed, type Received, type CallbackSent } from './call-back.ts'
import { sound, type Exchange } from './engine.ts'
import { garble } from './misbehaviours.ts'
import { openWorld, repository, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ timeoutMs: 5000 })
}, 60_000)
afterAll(() => world.close())

async function reviewed() {
  world.engine.reactBy(sound)
  const packageName = await world.aPackage()
  const { workflowInfo } = await world.client.workflow.event({
    event: 'start',
    repositoryId: repository,
    packageName,
  })
  return { packageName, workflowInstanceId: workflowInfo?.workflowInstanceId ?? '' }
}

async function standing(packageName: string) {
  const location = { repo: repository, packageName }
  const { state } = await world.client.packages.get(location)
  const { workflowInfo } = await world.client.workflow.get(location)
  const history = workflowInfo?.history.map(({ action, fromStep, toStep }) => [action, fromStep, toStep])
  return { state, status: workflowInfo?.status, currentStep: workflowInfo?.currentStep, history }
}

const started = ['start', null, 'editorial']

/** An engine that sends a callback before it answers, and records the answer to the callback. */
function reporting(reported: Partial<CallbackSent>, received: Received[]) {
  return (exchange: Exchange) => {
    const { workflowInstanceId, currentStep, status } = exchange.take()
    const packageName = String(world.engine.accepted.at(-1)?.packageName)
    const whole = { workflowInstanceId, currentStep, status, packageName, ...reported }
    const answering = async () => {
      received.push(await notify(world.served.url, whole))
      exchange.answer()
    }
    void answering()
  }
}

describe('a callback', () => {
  it('before the answer to a start takes effect after it', async () => {
    const packageName = await world.aPackage()
    const received: Received[] = []
    world.engine.reactBy(reporting({ currentStep: 'legal', comment: 'By the rules' }, received))
    const { body } = await act(world.served, { event: 'start', packageName })
    expect(received).toMatchObject([{ status: 200, body: { success: true, workflowInfo: null } }])
    expect(body).toMatchObject({ success: true, workflowInfo: { currentStep: 'legal' } })
    expect(await standing(packageName)).toMatchObject({
      state: 'inReview',
      history: [started, ['status_update', 'editorial', 'legal']],
    })
  })

  it('before the answer to an approval takes effect after it', async () => {
    const { packageName } = await reviewed()
    const received: Received[] = []
    world.engine.reactBy(reporting({ currentStep: 'print', status: 'active' }, received))
    await act(world.served, { event: 'approve', packageName })
    expect(received).toMatchObject([{ status: 200 }])
    expect((await standing(packageName)).history).toEqual([
      started,
      ['approve', 'editorial', 'legal'],
      ['status_update', 'legal', 'print'],
    ])
  })

  it('before an unreadable answer is not lost, and proves that the start was accepted', async () => {
    const packageName = await world.aPackage()
    const received: Received[] = []
    world.engine.reactBy((exchange) => {
      const answer = () => garble(exchange)
      reporting({ currentStep: 'legal' }, received)({ ...exchange, answer })
    })
    await act(world.served, { event: 'start', packageName })
    expect(received).toMatchObject([{ status: 200 }])
    const { state, status, currentStep, history } = await standing(packageName)
    expect({ state, status, currentStep }).toEqual({
      state: 'inReview',
      status: 'active',
      currentStep: 'legal',
    })
    expect(history?.map(([action]) => action)).toEqual(['start', 'status_update'])
  })

  it('after a start without an answer proves that it was accepted, even when the start is repeated', async () => {
    const packageName = await world.aPackage()
    world.engine.reactBy(garble)
    const wanted = { event: 'start', packageName, key: 'a start that was adopted' } as const
    expect((await act(world.served, wanted)).status).toBe(400)
    const { workflowInstanceId = '' } = world.engine.accepted.at(-1)?.state ?? {}
    const reported = { packageName, workflowInstanceId, currentStep: 'legal', status: 'active' } as const
    expect((await notify(world.served.url, reported)).status).toBe(200)
    world.engine.reactBy(sound)
    expect(await act(world.served, wanted)).toMatchObject({
      status: 200,
      body: { success: true, workflowInfo: { currentStep: 'legal' } },
    })
    expect((await standing(packageName)).history).toHaveLength(2)
    expect(world.engine.accepted.filter((one) => one.packageName === packageName)).toHaveLength(1)
  })

  it('that arrives twice creates one history entry', async () => {
    const { packageName, workflowInstanceId } = await reviewed()
    const reported = { packageName, workflowInstanceId, currentStep: 'legal', status: 'active' } as const
    const received = [await notify(world.served.url, reported), await notify(world.served.url, reported)]
    expect(received.map(({ status }) => status)).toEqual([200, 200])
    expect((await standing(packageName)).history).toEqual([started, ['status_update', 'editorial', 'legal']])
  })

  it('that is signed takes effect once, even if others arrived in between', async () => {
    const { packageName, workflowInstanceId } = await reviewed()
    const of = (currentStep: string) =>
      textOf({ packageName, workflowInstanceId, currentStep, status: 'active' })
    const [first, second] = [of('legal'), of('editorial')]
    const headers = signed(first)
    const received: Received[] = [
      await notifyText(world.served.url, first, headers),
      await notifyText(world.served.url, second, signed(second)),
      await notifyText(world.served.url, first, headers),
    ]
    expect(received.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await standing(packageName)).toMatchObject({
      currentStep: 'editorial',
      history: [started, ['status_update', 'editorial', 'legal'], ['status_update', 'legal', 'editorial']],
    })
  })

  it('out of order leaves a history without gaps, and the package merged or in review again', async () => {
    const { packageName, workflowInstanceId } = await reviewed()
    const reported = { packageName, workflowInstanceId } as const
    const { url } = world.served
    const statuses = [
      (await notify(url, { ...reported, currentStep: 'print', status: 'active' })).status,
      (await notify(url, { ...reported, currentStep: 'print', status: 'completed' })).status,
      (await notify(url, { ...reported, currentStep: 'legal', status: 'active' })).status,
    ]
    expect(statuses).toEqual([200, 200, 200])
    // Whether the merge came first depends on timing.
    await expect
      .poll(async () => (await standing(packageName)).state, { timeout: 10_000 })
      .toMatch(/^(merged|inReview)$/)
    const { history = [], status, state } = await standing(packageName)
    expect(status).toBe(state === 'merged' ? 'completed' : 'active')
    const froms = history.map(([, fromStep]) => fromStep)
    expect(froms).toEqual([null, ...history.slice(0, -1).map(([, , toStep]) => toStep)])
  })

  it('that arrives late, after an action of a reviewer, is added to the history', async () => {
    const { packageName, workflowInstanceId } = await reviewed()
    await act(world.served, { event: 'approve', packageName })
    const reported = { packageName, workflowInstanceId, currentStep: 'legal', status: 'active' } as const
    const { status } = await notify(world.served.url, { ...reported, comment: 'Told late' })
    expect(status).toBe(200)
    expect(await standing(packageName)).toMatchObject({
      state: 'inReview',
      currentStep: 'legal',
      history: [started, ['approve', 'editorial', 'legal'], ['status_update', 'legal', 'legal']],
    })
  })

  it('after the merge is added to the history, and changes nothing else', async () => {
    const { packageName, workflowInstanceId } = await reviewed()
    await act(world.served, { event: 'approve', packageName })
    await act(world.served, { event: 'approve', packageName })
    await expect.poll(async () => (await standing(packageName)).state, { timeout: 10_000 }).toBe('merged')
    const before = await standing(packageName)
    const known = before.history ?? []
    const reported = { packageName, workflowInstanceId, currentStep: 'legal' }
    const { url } = world.served
    for (const status of ['active', 'cancelled', 'completed'] as const)
      expect(await notify(url, { ...reported, status })).toMatchObject({
        status: 200,
        body: { success: true },
      })
    const { history = [], ...after } = await standing(packageName)
    expect({ ...after, history: history.slice(0, known.length) }).toEqual(before)
    expect(history.slice(known.length)).toEqual(
      Array.from({ length: 3 }, () => ['status_update', 'legal', 'legal']),
    )
  })
})
