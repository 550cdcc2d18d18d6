import { createQuire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { undiciOutbound } from '@quire/outbound-undici'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openInbox, type Inbox } from './inbox.ts'
import { rememberIds } from './remember-ids.ts'
import { publishAndReport } from './story.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let inbox: Inbox

beforeEach(async () => {
  inbox = await openInbox(secret)
})

afterEach(() => inbox.close())

it('notifies a shop and a chat, and redelivers what one of them missed', async () => {
  const outbound = undiciOutbound({ allow: [`127.0.0.1:${inbox.port}`] })
  const engine = createQuire({ store: createMemoryStore(), outbound })
  const reported: string[] = []
  await publishAndReport({ engine, inbox, secret, notify: (line) => reported.push(line) })
  await engine.close()
  expect(reported.map((line) => line.replaceAll(/CONT_\w+/g, 'CONT_1'))).toEqual([
    'received',
    '  /chat {"text":"Ink that remembers is out: 5 minutes","minutes":5,"author":null}',
    '  /shop x-article: ink-that-remembers {"event":"ITEM_PUBLISHED","data":{"id":"CONT_1","name":"Ink that remembers","slug":"ink-that-remembers","type":"article"},"webhook":{"name":"Shop"},"minutes":5,"packageName":null}',
    'delivery log of the shop',
    '  ITEM_PUBLISHED: succeeded, 204',
    'delivery log of the chat, while it is down',
    '  ITEM_PUBLISHED: succeeded, 204',
    '  ITEM_PUBLISHED: failed, 500 (The target answered with 500. Only a 2xx status counts as delivered.)',
    'received after the redelivery',
    '  /chat {"text":"Ink that remembers is out: 6 minutes","minutes":6,"author":null}',
    'delivery log of the chat',
    '  ITEM_PUBLISHED: succeeded, 204',
    '  ITEM_PUBLISHED: failed, 500 (The target answered with 500. Only a 2xx status counts as delivered.)',
    '  ITEM_PUBLISHED, again: succeeded, 204',
  ])
})

it('does not send to addresses that are not allowed', async () => {
  const engine = createQuire({ store: createMemoryStore(), outbound: undiciOutbound() })
  const story = publishAndReport({ engine, inbox, secret, notify: () => undefined })
  await expect(story).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('url') })
  await engine.close()
  expect(inbox.empty()).toEqual([])
})

describe('the receiver', () => {
  interface Sent {
    readonly id?: string
    readonly at?: Date
    readonly body?: string
    readonly key?: string
  }
  const wrongSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

  function headersOf({ id = 'JOB_1', at = new Date(), body = '{"event":"TEST"}', key = secret }: Sent) {
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(id, at, body),
    }
  }

  async function post(headers: Record<string, string>, body = '{"event":"TEST"}'): Promise<number> {
    const { status } = await fetch(`${inbox.url}/shop`, { method: 'POST', headers, body })
    return status
  }

  it('accepts signed deliveries, even without a body', async () => {
    expect(await post(headersOf({}))).toBe(204)
    expect(await post(headersOf({ id: 'JOB_2', body: '' }), '')).toBe(204)
    expect(inbox.empty().map(({ body }) => body)).toEqual([{ event: 'TEST' }, undefined])
  })

  it.each([
    ['is not signed', {}],
    ['is signed with another secret', headersOf({ key: wrongSecret })],
    ['was signed six minutes ago', headersOf({ at: new Date(Date.now() - 360_000) })],
    ['has a timestamp in the future', headersOf({ at: new Date(Date.now() + 360_000) })],
    ['is signed for another body', headersOf({ body: '{"event":"ITEM_DELETED"}' })],
    ['has the signature of another delivery', { ...headersOf({}), 'webhook-id': 'JOB_2' }],
  ])('rejects a delivery that %s', async (_, headers) => {
    expect(await post(headers)).toBe(401)
    expect(inbox.empty()).toEqual([])
  })

  it('rejects more bytes than Quire sends', async () => {
    const body = JSON.stringify('x'.repeat(2_000_000))
    expect(await post(headersOf({ body }), body)).toBe(413)
  })

  it('processes a repeated delivery once, and a failed one when it is repeated', async () => {
    expect([await post(headersOf({})), await post(headersOf({}))]).toEqual([204, 200])
    expect(inbox.empty()).toHaveLength(1)
    inbox.breakChat(true)
    const again = async () => {
      const body = '{"event":"TEST"}'
      const headers = headersOf({ id: 'JOB_2' })
      return (await fetch(`${inbox.url}/chat`, { method: 'POST', headers, body })).status
    }
    expect(await again()).toBe(500)
    inbox.breakChat(false)
    expect([await again(), await again()]).toEqual([204, 200])
  })
})

it('forgets the ids of deliveries that are too old to be accepted', () => {
  let now = 0
  const ids = rememberIds(() => now)
  expect([ids.add('a'), ids.add('a')]).toEqual([true, false])
  now = 5 * 60 * 1000
  expect(ids.add('a')).toBe(false)
  now = 10 * 60 * 1000
  expect(ids.add('a')).toBe(true)
})
