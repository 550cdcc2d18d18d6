import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administratorEnv } from '../server/api-access.ts'
import { Connection } from '../server/connection.ts'
import { keyed, signed, notify, notifyText, textOf, type Received, type CallbackSent } from './call-back.ts'
import { openWorld, prepareConnection, repository, type World } from './world.ts'

const otherSecrets = {
  apiKey: 'key-of-another-engine-9876543210',
  signingSecret: 'secret-of-another-9876543210',
}

/** In bytes. */
const mostSent = 200_000

let world: World

beforeAll(async () => {
  // The service has its default rate limits.
  const { QUIRE_RATE_LIMIT: _none, ...env } = administratorEnv
  world = await openWorld({ timeoutMs: 5000, env })
  const { served, engine, client } = world
  const reaching = { engine, callbackBaseUrl: served.url, timeoutMs: 5000 }
  await prepareConnection(client, { ...reaching, name: 'Other', callback: otherSecrets })
}, 60_000)
afterAll(() => world.close())

/** A package under review, and a callback that would move it to the next step. */
async function reviewed(): Promise<CallbackSent> {
  const packageName = await world.aPackage()
  const { workflowInfo } = await world.client.workflow.event({
    event: 'start',
    repositoryId: repository,
    packageName,
  })
  const workflowInstanceId = workflowInfo?.workflowInstanceId ?? ''
  return { packageName, workflowInstanceId, currentStep: 'legal', status: 'active' }
}

async function infoOf({ packageName }: CallbackSent) {
  return (await world.client.workflow.get({ repo: repository, packageName })).workflowInfo
}

/**
 * The status of the answer to a text. Only the necessary part is sent, because a text that is too
 * long is rejected by its announced length.
 */
async function statusOf(text: string): Promise<number> {
  const { url } = world.served
  const lines = [
    'POST /api/workflow/status HTTP/1.1',
    `host: ${new URL(url).host}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    ...Object.entries(signed(text)).map(([name, value]) => `${name}: ${value}`),
  ]
  const connection = new Connection(url)
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
  const { status } = await connection.send({ bytes: bytes.subarray(0, mostSent), timeout: 15_000 })
  connection.close()
  return status
}

/** The body of an answer without the request id. */
function bodyOf({ body: { requestId: _requestId, ...body } }: Received): object {
  return body
}

describe('a callback is accepted', () => {
  it.each([
    ['the key of the connection', () => keyed],
    ['a signature over its exact bytes', (text: string) => signed(text)],
    ['a signature that is 290 s old', (text: string) => signed(text, { ago: 290 })],
    ['both', (text: string) => ({ ...keyed, ...signed(text) })],
  ])('with %s', async (_what, headersOf) => {
    const reported = await reviewed()
    // With whitespace and an order of members that none of our serializers writes.
    const text = ` {"status" : "active",\n${textOf(reported).slice(1)} `
    const received = await notifyText(world.served.url, text, headersOf(text))
    expect(received).toMatchObject({ status: 200, body: { success: true } })
    expect(await infoOf(reported)).toMatchObject({ currentStep: 'legal', history: { length: 2 } })
  })

  it('once if the same signed message arrives twice, immediately or later', async () => {
    const reported = await reviewed()
    const text = textOf(reported)
    const headers = signed(text)
    const send = () => notifyText(world.served.url, text, headers)
    const received = [...(await Promise.all([send(), send()])), await send()]
    expect(received.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await infoOf(reported))?.history.map(({ action }) => action)).toEqual(['start', 'status_update'])
  })
})

describe('a callback is answered with 401, always with the same body,', () => {
  const wrong: readonly (readonly [
    string,
    (text: string) => { text?: string; headers: Record<string, string> },
  ])[] = [
    ['without a credential', () => ({ headers: {} })],
    ['with one byte changed', (text) => ({ text: text.replace('legal', 'legaL'), headers: signed(text) })],
    ['with a signature that is 301 s old', (text) => ({ headers: signed(text, { ago: 301 }) })],
    ['with a signature that is 301 s in the future', (text) => ({ headers: signed(text, { ago: -302 }) })],
    ['with the key of another connection', () => ({ headers: { 'x-api-key': otherSecrets.apiKey } })],
    [
      'with a signature under the secret of another connection',
      (text) => ({ headers: signed(text, { secret: otherSecrets.signingSecret }) }),
    ],
    [
      'with JSON that was serialised again',
      (text) => ({ headers: signed(JSON.stringify(JSON.parse(text), null, 1)) }),
    ],
    ['with a right key and a wrong signature', (text) => ({ headers: { ...keyed, ...signed(`${text} `) } })],
    [
      'with a right signature and a wrong key',
      (text) => ({ headers: { ...signed(text), 'x-api-key': `${keyed['x-api-key']}x` } }),
    ],
    ['with a malformed signature', () => ({ headers: { 'x-webhook-signature': 'v1=00' } })],
    ['for a missing package', (text) => ({ text: text.replace('Spring', 'Autumn'), headers: keyed })],
    ['for a missing repository', (text) => ({ text: text.replace(repository, 'x'), headers: keyed })],
  ]

  it.each(wrong)('%s', async (_what, of) => {
    const reported = await reviewed()
    const before = await infoOf(reported)
    const text = textOf(reported)
    const { text: sent = text, headers } = of(text)
    const received = await notifyText(world.served.url, sent, headers)
    expect(received.status).toBe(401)
    const reference = await notifyText(world.served.url, text, { 'x-api-key': 'nobody-knows-this-key' })
    expect(bodyOf(received)).toEqual(bodyOf(reference))
    expect(await infoOf(reported)).toEqual(before)
  })
})

describe('a callback that is not accepted changes nothing:', () => {
  it('for another instance it is answered with 409', async () => {
    const reported = await reviewed()
    const before = await infoOf(reported)
    const received = await notify(world.served.url, { ...reported, workflowInstanceId: 'another' })
    expect(received).toMatchObject({ status: 409, body: { code: 'workflow_mismatch' } })
    expect(await infoOf(reported)).toEqual(before)
  })

  it.each([
    ['10 000 levels of metadata', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, [400]],
    ['5 MiB of metadata', JSON.stringify({ a: 'x'.repeat(5 * 1024 * 1024) }), [400, 413]],
    ['metadata above its limit', JSON.stringify({ a: 'x'.repeat(70_000) }), [400]],
  ])('with %s it is rejected', async (_what, metadata, statuses) => {
    const reported = await reviewed()
    const before = await infoOf(reported)
    const text = `${textOf(reported).slice(0, -1)},"metadata":${metadata}}`
    expect(statuses).toContain(await statusOf(text))
    expect(await infoOf(reported)).toEqual(before)
    expect((await notify(world.served.url, reported)).status).toBe(200)
  })
})

describe('fifty simultaneous callbacks of completion', () => {
  it.each([
    ['with the key', () => keyed],
    ['signed, the same', (text: string) => signed(text)],
    ['signed, each at a different time', (text: string, index: number) => signed(text, { ago: index })],
  ])(
    '%s cause one merge',
    async (_what, headersOf) => {
      const { url } = world.served
      const reported = { ...(await reviewed()), status: 'completed' } as const
      const { packageName } = reported
      const text = textOf(reported)
      const received = await Promise.all(
        Array.from({ length: 50 }, (_, index) => notifyText(url, text, headersOf(text, index))),
      )
      expect(received.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
      const packageNow = () => world.client.packages.get({ repo: repository, packageName })
      await expect.poll(async () => (await packageNow()).state, { timeout: 15_000 }).toBe('merged')
      const { id: entityId } = await packageNow()
      const logged = async (event: 'PACKAGE_MERGED' | 'PACKAGE_WORKFLOW') =>
        (await world.client.activity.list({ configId: repository, entityId, event })).items.length
      expect(await logged('PACKAGE_MERGED')).toBe(1)
      expect(await logged('PACKAGE_WORKFLOW')).toBe(2)
      expect((await infoOf(reported))?.history.map(({ action }) => action)).toEqual([
        'start',
        'status_update',
      ])
      const { items } = await world.client.items.list({ configId: repository })
      const note = items.find(({ name }) => name === `Note of ${packageName}`)
      expect(note?.latestVersion).toBe(1)
      const { items: jobs } = await world.client.queue.list({ kind: 'workflow.merge' })
      expect(jobs.filter(({ payload }) => payload['packageName'] === packageName)).toHaveLength(1)
    },
    60_000,
  )
})
