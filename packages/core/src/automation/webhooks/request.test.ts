import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { OutgoingWebhook } from './outgoing.ts'
import { deliveryRequest, type OutgoingDelivery } from './deliver.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const sentAt = 1_790_001_000_999

const hook: OutgoingWebhook = {
  id: 'HOOK_1',
  repositoryId: 'REPO_1',
  name: 'Shop front',
  enabled: true,
  url: 'https://shop.example.com/hooks',
  events: ['ITEM_PUBLISHED'],
  types: [],
  payloadSize: 'basic',
  template: null,
  headers: [],
  mapping: {},
  includeText: false,
  secret: null,
}
const item = {
  id: 'CONT_1',
  name: 'Ink',
  type: 'article',
  slug: 'ink',
  cardPreview: '<b>CARD</b>',
  text: 'WORDS',
  asset: { hash: 'f' },
}

const delivery = (
  webhook: Partial<OutgoingWebhook> = {},
  data: OutgoingDelivery['data'] = item,
): OutgoingDelivery => ({
  id: 'JOB_1',
  event: 'ITEM_PUBLISHED',
  data,
  webhook: { ...hook, ...webhook },
  sentAt,
})

/** The request of a delivery, as a receiver sees it. */
async function received(webhook?: Partial<OutgoingWebhook>, data?: OutgoingDelivery['data']) {
  const request = await deliveryRequest(delivery(webhook, data))
  return {
    headers: Object.fromEntries(request.headers),
    names: request.headers.map(([name]) => name),
    body: request.body,
  }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a delivery', () => {
  it('is JSON with an event and a time, and without a signature if there is no secret', async () => {
    const { headers, body } = await received()
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Quire-Webhooks',
      'webhook-id': 'JOB_1',
      'webhook-timestamp': '1790001000',
      'webhook-event': 'ITEM_PUBLISHED',
    })
    expect(JSON.parse(body ?? '')).toEqual({
      event: 'ITEM_PUBLISHED',
      data: { id: 'CONT_1', name: 'Ink', slug: 'ink', type: 'article' },
      webhook: { name: 'Shop front' },
    })
  })

  it('has the same content type without a body', async () => {
    const { headers, body } = await received({ payloadSize: 'none' })
    expect(body).toBeNull()
    expect(headers['content-type']).toBe('application/json')
  })

  it.each<[OutgoingWebhook['payloadSize'], string]>([
    ['full', '{"a":1}'],
    ['basic', '{"a":1}'],
    ['custom', '{"a":"{{data.name}} é 😀"}'],
    ['none', '{"a":1}'],
  ])(
    'of %s is signed so that the Standard Webhooks library accepts it, and no other body',
    async (payloadSize, template) => {
      vi.useFakeTimers({ now: sentAt })
      const { headers, body } = await received({ payloadSize, template, secret })
      const receiver = new Webhook(secret)
      expect(receiver.verify(body ?? '', headers)).toEqual(body === null ? undefined : JSON.parse(body))
      expect(() => receiver.verify(`${body ?? ''} `, headers)).toThrow('No matching signature found')
      expect(() => receiver.verify(body ?? '', { ...headers, 'webhook-id': 'JOB_2' })).toThrow(
        'No matching signature found',
      )
      expect(() => new Webhook(`whsec_${'A'.repeat(32)}`).verify(body ?? '', headers)).toThrow(
        'No matching signature found',
      )
    },
  )

  it('does not contain its secret', async () => {
    const { headers, body } = await received({ payloadSize: 'full', secret })
    expect(JSON.stringify([headers, body])).not.toContain(secret.slice('whsec_'.length))
  })
})

describe('the headers of a delivery', () => {
  const sizes = ['full', 'basic', 'custom', 'none'] as const
  const values = [
    ['static text', 'static text'],
    ['name', 'Ink'],
    ['asset.hash', 'f'],
    ['missing.path', 'missing.path'],
    ['asset', 'asset'],
  ] as const

  it.each(sizes.flatMap((size) => values.map(([value, sent]) => [size, value, sent] as const)))(
    'of %s: %s is sent as %s, from the whole item',
    async (payloadSize, value, sent) => {
      const { headers } = await received({ payloadSize, headers: [{ name: 'X-Value', value }] })
      expect(headers['X-Value']).toBe(sent)
    },
  )

  it('come from the delivered data, without the card preview and without a text that is not included', async () => {
    const headers = [
      { name: 'x-card', value: 'cardPreview' },
      { name: 'x-text', value: 'text' },
    ]
    expect((await received({ headers })).headers).toMatchObject({ 'x-card': 'cardPreview', 'x-text': 'text' })
    expect((await received({ headers, includeText: true })).headers).toMatchObject({
      'x-card': 'cardPreview',
      'x-text': 'WORDS',
    })
  })

  it('occur once each, and a custom header never replaces one of the delivery', async () => {
    const { names } = await received({ secret, headers: [{ name: 'x-a', value: 'b' }] })
    expect(names).toEqual([
      'content-type',
      'user-agent',
      'webhook-id',
      'webhook-timestamp',
      'webhook-event',
      'x-a',
      'webhook-signature',
    ])
  })
})

describe('the data of a delivery', () => {
  it.each(['full', 'custom'] as const)(
    'of %s has no card preview, and the text only if it is included',
    async (payloadSize) => {
      const template = '["{{data}}","{{data.cardPreview}}","{{data.text}}","<{{data.text}}>"]'
      const without = (await received({ payloadSize, template })).body
      expect(without).not.toMatch(/CARD|WORDS/)
      const included = (await received({ payloadSize, template, includeText: true })).body
      expect(included).toContain('"text":"WORDS"')
      expect(included).not.toContain('CARD')
    },
  )

  it('is also the source of mappings', async () => {
    const mapping = { card: 'cardPreview', words: 'text' }
    expect(JSON.parse((await received({ mapping })).body ?? '')).toMatchObject({ card: null, words: null })
    expect(JSON.parse((await received({ mapping, includeText: true })).body ?? '')).toMatchObject({
      card: null,
      words: 'WORDS',
    })
  })
})

describe('the content of an item', () => {
  it('adds no header, and prevents no delivery', async () => {
    const { headers } = await deliveryRequest(
      delivery({ headers: [{ name: 'x-title', value: 'name' }] }, { name: 'x\r\nX-Evil: 1' }),
    )
    expect(headers).toContainEqual(['x-title', 'x%0D%0AX-Evil%3A%201'])
    expect(headers).toContainEqual(['webhook-encoded', 'x-title'])
    expect(headers.map(([name]) => name.toLowerCase())).not.toContain('x-evil')
  })

  it('is cut if it is too long for a body, and the cut body is signed', async () => {
    const made = await deliveryRequest(
      delivery({ payloadSize: 'full', secret }, { fields: { long: 'x'.repeat(7_000_000) } }),
    )
    expect(JSON.parse(made.body ?? '')).toHaveProperty('tooLarge')
    expect(made.headers.map(([name]) => name)).toContain('webhook-signature')
  })
})

describe('the event', () => {
  it.each(['full', 'basic', 'custom', 'none'] as const)('is named by a header of %s', async (payloadSize) => {
    const made = delivery({ payloadSize })
    expect((await deliveryRequest(made)).headers).toContainEqual(['webhook-event', made.event])
  })
})
