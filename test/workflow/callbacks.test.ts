import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { act } from './act.ts'
import { tell, tellText, textOf, signed, type Heard, type Told } from './call-back.ts'
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
  const place = { repo: repository, packageName }
  const { state } = await world.client.packages.get(place)
  const { workflowInfo } = await world.client.workflow.get(place)
  const history = workflowInfo?.history.map(({ action, fromStep, toStep }) => [action, fromStep, toStep])
  return { state, status: workflowInfo?.status, currentStep: workflowInfo?.currentStep, history }
}

const started = ['start', null, 'editorial']

/** An engine that tells something before it answers, and what it heard for that. */
function telling(told: Partial<Told>, heard: Heard[]) {
  return (exchange: Exchange) => {
    const { workflowInstanceId, currentStep, status } = exchange.take()
    const packageName = String(world.engine.taken.at(-1)?.packageName)
    const whole = { workflowInstanceId, currentStep, status, packageName, ...told }
    const answering = async () => {
      heard.push(await tell(world.served.url, whole))
      exchange.answer()
    }
    void answering()
  }
}

describe('a callback', () => {
  it('before the answer to the start counts after it', async () => {
    const packageName = await world.aPackage()
    const heard: Heard[] = []
    world.engine.reactBy(telling({ currentStep: 'legal', comment: 'By the rules' }, heard))
    const { body } = await act(world.served, { event: 'start', packageName })
    expect(heard).toMatchObject([{ status: 200, body: { success: true, workflowInfo: null } }])
    expect(body).toMatchObject({ success: true, workflowInfo: { currentStep: 'legal' } })
    expect(await standing(packageName)).toMatchObject({
      state: 'inReview',
      history: [started, ['status_update', 'editorial', 'legal']],
    })
  })

  it('before the answer to an approval counts after it', async () => {
    const { packageName } = await reviewed()
    const heard: Heard[] = []
    world.engine.reactBy(telling({ currentStep: 'print', status: 'active' }, heard))
    await act(world.served, { event: 'approve', packageName })
    expect(heard).toMatchObject([{ status: 200 }])
    expect((await standing(packageName)).history).toEqual([
      started,
      ['approve', 'editorial', 'legal'],
      ['status_update', 'legal', 'print'],
    ])
  })

  it('before an answer that cannot be read is not lost, and shows that the start was taken', async () => {
    const packageName = await world.aPackage()
    const heard: Heard[] = []
    world.engine.reactBy((exchange) => {
      const answer = () => garble(exchange)
      telling({ currentStep: 'legal' }, heard)({ ...exchange, answer })
    })
    await act(world.served, { event: 'start', packageName })
    expect(heard).toMatchObject([{ status: 200 }])
    const { state, status, currentStep, history } = await standing(packageName)
    expect({ state, status, currentStep }).toEqual({
      state: 'inReview',
      status: 'active',
      currentStep: 'legal',
    })
    expect(history?.map(([action]) => action)).toEqual(['start', 'status_update'])
  })

  it('after a start without an answer shows that it was taken, to whoever starts it again too', async () => {
    const packageName = await world.aPackage()
    world.engine.reactBy(garble)
    const wanted = { event: 'start', packageName, key: 'a start that was adopted' } as const
    expect((await act(world.served, wanted)).status).toBe(400)
    const { workflowInstanceId = '' } = world.engine.taken.at(-1)?.state ?? {}
    const told = { packageName, workflowInstanceId, currentStep: 'legal', status: 'active' } as const
    expect((await tell(world.served.url, told)).status).toBe(200)
    world.engine.reactBy(sound)
    expect(await act(world.served, wanted)).toMatchObject({
      status: 200,
      body: { success: true, workflowInfo: { currentStep: 'legal' } },
    })
    expect((await standing(packageName)).history).toHaveLength(2)
    expect(world.engine.taken.filter((one) => one.packageName === packageName)).toHaveLength(1)
  })

  it('that comes twice is one entry', async () => {
    const { packageName, workflowInstanceId } = await reviewed()
    const told = { packageName, workflowInstanceId, currentStep: 'legal', status: 'active' } as const
    const heard = [await tell(world.served.url, told), await tell(world.served.url, told)]
    expect(heard.map(({ status }) => status)).toEqual([200, 200])
    expect((await standing(packageName)).history).toEqual([started, ['status_update', 'editorial', 'legal']])
  })

  it('that is signed counts once, also when others came after it', async () => {
    const { packageName, workflowInstanceId } = await reviewed()
    const of = (currentStep: string) =>
      textOf({ packageName, workflowInstanceId, currentStep, status: 'active' })
    const [first, second] = [of('legal'), of('editorial')]
    const headers = signed(first)
    const heard: Heard[] = [
      await tellText(world.served.url, first, headers),
      await tellText(world.served.url, second, signed(second)),
      await tellText(world.served.url, first, headers),
    ]
    expect(heard.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await standing(packageName)).toMatchObject({
      currentStep: 'editorial',
      history: [started, ['status_update', 'editorial', 'legal'], ['status_update', 'legal', 'editorial']],
    })
  })

  it('out of order leaves a chain without a gap, and no end is taken back', async () => {
    const { packageName, workflowInstanceId } = await reviewed()
    const told = { packageName, workflowInstanceId } as const
    const { url } = world.served
    const statuses = [
      (await tell(url, { ...told, currentStep: 'print', status: 'active' })).status,
      (await tell(url, { ...told, currentStep: 'print', status: 'completed' })).status,
      (await tell(url, { ...told, currentStep: 'legal', status: 'active' })).status,
    ]
    expect(statuses).toEqual([200, 200, 409])
    await expect.poll(async () => (await standing(packageName)).state, { timeout: 10_000 }).toBe('merged')
    const { history = [], status } = await standing(packageName)
    expect(status).toBe('completed')
    const froms = history.map(([, fromStep]) => fromStep)
    expect(froms).toEqual([null, ...history.slice(0, -1).map(([, , toStep]) => toStep)])
  })

  it('that comes late, after what a reviewer did, adds to the history', async () => {
    const { packageName, workflowInstanceId } = await reviewed()
    await act(world.served, { event: 'approve', packageName })
    const told = { packageName, workflowInstanceId, currentStep: 'legal', status: 'active' } as const
    const { status } = await tell(world.served.url, { ...told, comment: 'Told late' })
    expect(status).toBe(200)
    expect(await standing(packageName)).toMatchObject({
      state: 'inReview',
      currentStep: 'legal',
      history: [started, ['approve', 'editorial', 'legal'], ['status_update', 'legal', 'legal']],
    })
  })

  it('after completion is refused, and the same end again changes nothing', async () => {
    const { packageName, workflowInstanceId } = await reviewed()
    await act(world.served, { event: 'approve', packageName })
    await act(world.served, { event: 'approve', packageName })
    await expect.poll(async () => (await standing(packageName)).state, { timeout: 10_000 }).toBe('merged')
    const before = await standing(packageName)
    const told = { packageName, workflowInstanceId, currentStep: 'legal' }
    const { url } = world.served
    expect(await tell(url, { ...told, status: 'active' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_state' },
    })
    expect((await tell(url, { ...told, status: 'cancelled' })).status).toBe(409)
    expect(await tell(url, { ...told, status: 'completed' })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await standing(packageName)).toEqual(before)
  })
})
