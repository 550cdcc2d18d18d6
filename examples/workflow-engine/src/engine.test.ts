import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startEngine, type EngineOptions, type RunningEngine } from './engine.ts'
import type { InstanceView } from './messages.ts'
import { readOptions } from './read-options.ts'
import { rememberAnswers } from './remember-answers.ts'

const token = 'a token of the tests'
const signingSecret = 'a secret of the tests'
const user = { userName: 'ada@example.org', displayName: 'Ada', email: 'ada@example.org' }

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly raw: string
}

/** A stand-in for Quire that records the callbacks it receives. */
interface QuireStandIn {
  readonly url: string
  readonly received: Received[]
  /** The statuses of the next answers to callbacks; after these, 200. */
  readonly statuses: number[]
  close(): Promise<void>
}

let quire: QuireStandIn
let engine: RunningEngine
const opened: RunningEngine[] = []

beforeEach(async () => {
  quire = await openQuireStandIn()
  engine = await open({})
})

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  await quire.close()
})

describe('a review', () => {
  it('starts with the editors, and lists the actions and groups of each step', async () => {
    const { baseUrl } = await open({ groups: { legal: ['GRUP_LAW'] } })
    const { status, body } = await start({ baseUrl })
    expect(status).toBe(201)
    const id = body.workflowInstanceId
    const reviewing = ['approve', 'reject', 'route', 'cancel']
    expect(body).toEqual({
      workflowInstanceId: expect.stringMatching(/.{20}/),
      currentStep: 'editorial',
      status: 'active',
      nextActionUrl: `${baseUrl}/instances/${id}/actions`,
      steps: [
        { name: 'editorial', label: 'Editorial review', allowedActions: reviewing, assignedGroups: [] },
        { name: 'legal', label: 'Legal review', allowedActions: reviewing, assignedGroups: ['GRUP_LAW'] },
        { name: 'chief', label: 'Chief editor decides', allowedActions: reviewing, assignedGroups: [] },
        {
          name: 'rework',
          label: 'Rework by the author',
          allowedActions: ['approve', 'cancel'],
          assignedGroups: [],
        },
      ],
    })
  })

  it('is completed when both have approved, and Quire is notified', async () => {
    const { body } = await start()
    expect(await act(body, { action: 'approve' })).toMatchObject({
      status: 200,
      body: { currentStep: 'legal', status: 'active', nextActionUrl: body.nextActionUrl },
    })
    const { body: ended } = await act(body, { action: 'approve' })
    expect(ended).toMatchObject({ currentStep: 'approved', status: 'completed' })
    expect(ended).not.toHaveProperty('nextActionUrl')
    const [reported] = await callbacks(1)
    expect(JSON.parse(reported!.raw)).toEqual({
      workflowInstanceId: body.workflowInstanceId,
      repositoryId: 'REPO_1',
      packageName: 'spring-issue',
      currentStep: 'approved',
      status: 'completed',
      comment: 'The process is completed.',
    })
  })

  it('goes back to the author when it is rejected, and then to the editors', async () => {
    const { body } = await start()
    expect(await stepsOf(body, ['reject', 'approve', 'approve', 'reject', 'approve', 'approve'])).toEqual([
      'rework',
      'editorial',
      'legal',
      'rework',
      'editorial',
      'legal',
    ])
    expect(quire.received).toEqual([])
  })

  it.each(['editorial', 'legal', 'chief', 'rework'])('can be routed to %s', async (targetStep) => {
    const { body } = await start()
    const routed = await act(body, { action: 'route', targetStep })
    expect(routed).toMatchObject({ status: 200, body: { currentStep: targetStep, status: 'active' } })
    const last = await act(body, { action: 'approve' })
    const after = { editorial: 'legal', legal: 'approved', chief: 'approved', rework: 'editorial' }
    expect(after).toMatchObject({ [targetStep]: last.body.currentStep })
  })

  it('cannot be routed to an unknown step', async () => {
    const { body } = await start()
    const nowhere = await act(body, { action: 'route', targetStep: 'printer' })
    expect(nowhere).toMatchObject({ status: 400, body: { message: expect.stringContaining('printer') } })
    expect(await act(body, { action: 'route' })).toMatchObject({ status: 400 })
    expect(await act(body, { action: 'approve' })).toMatchObject({ body: { currentStep: 'legal' } })
  })

  it('ends when it is cancelled, and accepts no more actions', async () => {
    const { body } = await start()
    await act(body, { action: 'approve' })
    const { body: cancelled } = await act(body, { action: 'cancel' })
    expect(cancelled).toMatchObject({ currentStep: 'legal', status: 'cancelled' })
    expect(cancelled).not.toHaveProperty('nextActionUrl')
    expect(await act(body, { action: 'approve' })).toMatchObject({ status: 409 })
    expect(quire.received).toEqual([])
  })
})

describe('a legal review that takes too long', () => {
  it('goes to the chief editor, and Quire gets a signed callback', async () => {
    const { baseUrl } = await open({ legalReviewMs: 50 })
    const { body } = await start({ baseUrl })
    await act(body, { action: 'approve' })
    const [reported] = await callbacks(1)
    expect(JSON.parse(reported!.raw)).toEqual({
      workflowInstanceId: body.workflowInstanceId,
      repositoryId: 'REPO_1',
      packageName: 'spring-issue',
      currentStep: 'chief',
      status: 'active',
      nextActionUrl: body.nextActionUrl,
      comment: 'Legal review took too long.',
    })
    const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
      String(reported!.headers['x-webhook-signature']),
    )!
    const signed = createHmac('sha256', signingSecret).update(`${seconds}.${reported!.raw}`)
    expect(signature).toBe(signed.digest('hex'))
    expect(Math.abs(Date.now() / 1000 - Number(seconds))).toBeLessThan(300)
    expect(reported!.headers).not.toHaveProperty('x-api-key')
    expect(await act(body, { action: 'approve' })).toMatchObject({
      body: { currentStep: 'approved', status: 'completed' },
    })
  })

  it('is reported with an API key if that is configured', async () => {
    const { baseUrl } = await open({ legalReviewMs: 50, callback: { apiKey: 'a key of the tests' } })
    const { body } = await start({ baseUrl })
    await act(body, { action: 'approve' })
    const [reported] = await callbacks(1)
    expect(reported!.headers['x-api-key']).toBe('a key of the tests')
    expect(reported!.headers).not.toHaveProperty('x-webhook-signature')
  })

  it('is reported again while Quire is down, and before later messages', async () => {
    const { baseUrl } = await open({ legalReviewMs: 50 })
    quire.statuses.push(503, 429, 500)
    const { body } = await start({ baseUrl })
    await act(body, { action: 'approve' })
    await callbacks(1)
    await act(body, { action: 'approve' })
    const reported = await callbacks(5)
    const steps = reported.map(({ raw }) => JSON.parse(raw).currentStep)
    expect(steps).toEqual(['chief', 'chief', 'chief', 'chief', 'approved'])
  })

  it('is reported once if Quire rejects the callback', async () => {
    const { baseUrl } = await open({ legalReviewMs: 50 })
    quire.statuses.push(409)
    const { body } = await start({ baseUrl })
    await act(body, { action: 'approve' })
    await callbacks(1)
    await act(body, { action: 'approve' })
    const reported = await callbacks(2)
    expect(reported.map(({ raw }) => JSON.parse(raw).currentStep)).toEqual(['chief', 'approved'])
  })
})

describe('a callback that Quire does not accept', () => {
  it('is given up after six attempts, and does not block later ones', async () => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { baseUrl } = await open({ legalReviewMs: 50 })
    quire.statuses.push(...Array.from({ length: 6 }, () => 503))
    const { body } = await start({ baseUrl })
    await act(body, { action: 'approve' })
    await callbacks(1)
    await act(body, { action: 'approve' })
    const reported = await callbacks(7)
    const steps = reported.map(({ raw }) => JSON.parse(raw).currentStep)
    expect(steps).toEqual(['chief', 'chief', 'chief', 'chief', 'chief', 'chief', 'approved'])
    expect(complaint).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(body.workflowInstanceId))
    complaint.mockRestore()
  })

  it('does not delay the shutdown of the engine', async () => {
    const closing = await open({ legalReviewMs: 50, retryMs: 1_000_000 })
    quire.statuses.push(503)
    const { body } = await start({ baseUrl: closing.baseUrl })
    await act(body, { action: 'approve' })
    await callbacks(1)
    await closing.close()
    expect(quire.received).toHaveLength(1)
  })
})

describe('a request', () => {
  it.each([
    ['no token', {}],
    ['another token', { Authorization: 'Bearer another' }],
    ['the token in another scheme', { Authorization: `Basic ${token}` }],
  ])('with %s is rejected', async (_, headers) => {
    const refused = await post(`${engine.baseUrl}/start/two-step-review`, startMessage(), headers)
    expect(refused).toMatchObject({ status: 401, body: { message: expect.any(String) } })
  })

  it('to a finished instance is answered with 409, and changes nothing', async () => {
    const { body } = await start()
    await stepsOf(body, ['approve', 'approve'])
    const late = await act(body, { action: 'reject' })
    expect(late).toMatchObject({ status: 409, body: { message: expect.stringContaining('completed') } })
    const reported = await callbacks(1)
    expect(reported).toHaveLength(1)
  })

  it('with an action that the step does not allow is answered with 409, and changes nothing', async () => {
    const { body } = await start()
    await act(body, { action: 'reject' })
    expect(await act(body, { action: 'reject' })).toMatchObject({ status: 409 })
    expect(await act(body, { action: 'approve' })).toMatchObject({ body: { currentStep: 'editorial' } })
  })

  it('with a repeated key takes effect once, and gets the first answer again', async () => {
    const { body } = await start()
    const [first, ...repeats] = await Promise.all(
      ['K1', 'K1', 'K1'].map((key) => act(body, { action: 'approve', key })),
    )
    expect(first).toMatchObject({ status: 200, body: { currentStep: 'legal', status: 'active' } })
    expect(repeats).toEqual([first, first])
    const other = await act(body, { action: 'reject', key: 'K1' })
    expect(other).toMatchObject({ status: 409 })
    expect(await act(body, { action: 'approve', key: 'K2' })).toMatchObject({
      body: { currentStep: 'approved' },
    })
    expect(await act(body, { action: 'approve', key: 'K1' })).toEqual(first)
  })

  it('to start an instance starts only one if it is repeated', async () => {
    const [first, second] = [await start({ key: 'S1' }), await start({ key: 'S1' })]
    expect(second).toEqual(first)
    expect((await start({ key: 'S2' })).body.workflowInstanceId).not.toBe(first.body.workflowInstanceId)
  })

  it.each([
    ['to a missing instance', [404, '/instances/nobody/actions', actionMessage('nobody')]],
    ['to start a missing process', [404, '/start/three-step-review', startMessage()]],
    ['to nowhere', [404, '/nowhere', {}]],
    ['without a callback address', [400, '/start/two-step-review', { action: 'start' }]],
    ['that is too large', [413, '/start/two-step-review', { action: 'x'.repeat(2_000_000) }]],
  ] as const)('%s is refused', async (_, [status, path, message]) => {
    const refused = await post(`${engine.baseUrl}${path}`, message)
    expect(refused).toMatchObject({ status, body: { message: expect.any(String) } })
  })

  it('for another instance than the one in its path is answered with 409', async () => {
    const { body } = await start()
    const refused = await post(body.nextActionUrl!, actionMessage('another'))
    expect(refused).toMatchObject({ status: 409 })
    expect(await act(body, { action: 'approve' })).toMatchObject({ body: { currentStep: 'legal' } })
  })

  it('with a callback address outside of the configured origins is rejected', async () => {
    const { baseUrl } = await open({ callbackOrigins: ['https://quire.example.org'] })
    expect(await start({ baseUrl })).toMatchObject({ status: 400 })
    const { baseUrl: other } = await open({ callbackOrigins: [quire.url] })
    expect(await start({ baseUrl: other })).toMatchObject({ status: 201 })
  })
})

describe('the options', () => {
  it('are read from the environment', () => {
    const environment = { ENGINE_TOKEN: 't', CALLBACK_API_KEY: 'k' }
    expect(readOptions(environment)).toEqual({ token: 't', port: 4500, callback: { apiKey: 'k' } })
    const all = {
      ENGINE_TOKEN: 't',
      ENGINE_PORT: '0',
      CALLBACK_SIGNING_SECRET: 's',
      CALLBACK_ORIGINS: 'http://a,http://b',
      LEGAL_REVIEW_MS: '60000',
      STEP_GROUPS: '{"legal":["GRUP_1"]}',
    }
    expect(readOptions(all)).toEqual({
      token: 't',
      port: 0,
      callback: { signingSecret: 's' },
      callbackOrigins: ['http://a', 'http://b'],
      legalReviewMs: 60_000,
      groups: { legal: ['GRUP_1'] },
    })
  })

  it('require a token, and a key for callbacks', () => {
    expect(() => readOptions({ CALLBACK_API_KEY: 'k' })).toThrow('ENGINE_TOKEN')
    expect(() => readOptions({ ENGINE_TOKEN: 't' })).toThrow('CALLBACK_SIGNING_SECRET')
  })

  it.each([0, 25 * 24 * 60 * 60 * 1000])(
    'reject a timer of %i ms, which would not fire in time',
    async (ms) => {
      await expect(startEngine({ token, callback: { signingSecret }, legalReviewMs: ms })).rejects.toThrow(
        'legalReviewMs',
      )
    },
  )
})

it('forgets answers after a day, and failures immediately', async () => {
  let now = 0
  const once = rememberAnswers(() => now)
  let done = 0
  const ask = () =>
    once({ key: 'K', request: 'R' }, async () => {
      done += 1
      if (done === 1) throw new Error('The disk is full.')
      return { status: 200, body: { done } }
    })
  await expect(ask()).rejects.toThrow('The disk is full.')
  expect([await ask(), await ask()]).toEqual([2, 2].map((done) => ({ status: 200, body: { done } })))
  now = 24 * 60 * 60 * 1000
  expect(await ask()).toMatchObject({ body: { done: 3 } })
})

async function open(options: Partial<EngineOptions>): Promise<RunningEngine> {
  const running = await startEngine({ token, callback: { signingSecret }, retryMs: 10, ...options })
  opened.push(running)
  return running
}

interface Answered {
  readonly status: number
  readonly body: InstanceView
}

async function post(
  url: string,
  message: object,
  headers: Record<string, string> = { Authorization: `Bearer ${token}` },
): Promise<Answered> {
  const init = { method: 'POST', headers: { ...headers, Connection: 'close' }, body: JSON.stringify(message) }
  const response = await fetch(url, init)
  const body: InstanceView = JSON.parse(await response.text())
  return { status: response.status, body }
}

function startMessage() {
  return {
    action: 'start',
    type: 'package',
    callbackBaseUrl: quire?.url,
    statusCallbackUrl: `${quire?.url ?? 'http://127.0.0.1'}/api/workflow/status`,
    payload: { id: 'PACK_1', repositoryId: 'REPO_1', name: 'spring-issue', createdByUser: user },
    priority: 'high',
  }
}

function actionMessage(workflowInstanceId: string) {
  return { workflowInstanceId, action: 'approve', user }
}

function start({
  baseUrl = engine.baseUrl,
  key,
}: { baseUrl?: string; key?: string } = {}): Promise<Answered> {
  return post(`${baseUrl}/start/two-step-review`, startMessage(), headersOf(key))
}

interface Act {
  readonly action: string
  readonly targetStep?: string
  readonly key?: string
}

function act({ workflowInstanceId, nextActionUrl }: InstanceView, { key, ...rest }: Act): Promise<Answered> {
  return post(nextActionUrl!, { workflowInstanceId, user, comment: 'As agreed.', ...rest }, headersOf(key))
}

function headersOf(key?: string): Record<string, string> {
  return { Authorization: `Bearer ${token}`, ...(key !== undefined && { 'Idempotency-Key': key }) }
}

async function stepsOf(view: InstanceView, actions: readonly string[]): Promise<string[]> {
  const steps: string[] = []
  for (const action of actions) steps.push((await act(view, { action })).body.currentStep)
  return steps
}

/** Waits for a number of callbacks. */
async function callbacks(count: number): Promise<readonly Received[]> {
  await vi.waitFor(() => expect(quire.received.length).toBeGreaterThanOrEqual(count), { timeout: 15_000 })
  return quire.received
}

async function openQuireStandIn(): Promise<QuireStandIn> {
  const received: Received[] = []
  const statuses: number[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ headers: request.headers, raw: await text(request) })
    response.writeHead(statuses.shift() ?? 200).end()
  }
  const server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    statuses,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
