import { limits } from '@quire/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../ports/index.ts'
import { serializeOutgoing, type OutgoingWebhook } from './outgoing.ts'
import { bodyOf, mappingProblem } from './payload.ts'

const canaries = ['CANARY-SECRET', 'CANARY-HEADER', 'CANARY-TEMPLATE', 'CANARY-URL', 'CANARY-NEW'] as const

const hook: OutgoingWebhook = {
  id: 'HOOK_1',
  repositoryId: 'REPO_1',
  name: 'Shop front',
  enabled: true,
  url: 'https://shop.example.com/CANARY-URL?code=CANARY-URL',
  events: ['ITEM_PUBLISHED', 'FOLDER_CREATED'],
  types: ['article'],
  payloadSize: 'full',
  template: null,
  headers: [{ name: 'authorization', value: 'Bearer CANARY-HEADER' }],
  mapping: {},
  includeText: false,
  secret: 'whsec_CANARY-SECRET',
}

const visible = {
  id: 'HOOK_1',
  repositoryId: 'REPO_1',
  name: 'Shop front',
  enabled: true,
  events: ['ITEM_PUBLISHED', 'FOLDER_CREATED'],
  types: ['article'],
  payloadSize: 'full',
  headers: [{ name: 'authorization' }],
  mapping: {},
  includeText: false,
}

const item: JsonObject = {
  id: 'CONT_1',
  name: 'Ink',
  type: 'article',
  slug: 'ink',
  description: '',
  folderId: null,
  currentVersion: 3,
  isPublished: true,
  fields: { price: 1.5, tags: ['a', 'b'], seo: { title: 'On ink' } },
}
const folder: JsonObject = { id: 'FOLD_1', name: 'News', description: '', parentId: null }

const bodyFor = (webhook: Partial<OutgoingWebhook>, data = item, event = 'ITEM_PUBLISHED'): Json => {
  const body = bodyOf(event, data, { ...hook, ...webhook })
  return body === null ? null : JSON.parse(body)
}
const customOf = (template: Json, data = item) =>
  bodyFor({ payloadSize: 'custom', template: JSON.stringify(template) }, data)

describe('a body by payload size', () => {
  it('full: the event, the complete item and the webhook without its secrets', () => {
    expect(bodyFor({})).toEqual({ event: 'ITEM_PUBLISHED', data: item, webhook: visible })
  })

  it('full: the same for a folder', () => {
    expect(bodyFor({}, folder, 'FOLDER_CREATED')).toEqual({
      event: 'FOLDER_CREATED',
      data: folder,
      webhook: visible,
    })
  })

  it('basic: the event, four members of the item and the name of the webhook', () => {
    expect(bodyFor({ payloadSize: 'basic' })).toEqual({
      event: 'ITEM_PUBLISHED',
      data: { id: 'CONT_1', name: 'Ink', slug: 'ink', type: 'article' },
      webhook: { name: 'Shop front' },
    })
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['of a folder', folder, { id: 'FOLD_1', name: 'News', slug: null, type: null }],
    [
      'of a removed item',
      { id: 'CONT_1', type: 'note' },
      { id: 'CONT_1', name: null, slug: null, type: 'note' },
    ],
    ['of nothing', {}, { id: null, name: null, slug: null, type: null }],
  ])('basic: %s, the missing members are null', (_name, data, basic) => {
    expect(bodyFor({ payloadSize: 'basic' }, data)).toMatchObject({ data: basic })
  })

  it('custom: the template, filled from event, data and webhook', () => {
    expect(
      customOf({
        what: '{{event}}',
        item: '{{data.name}} of {{webhook.name}}',
        price: '{{data.fields.price}}',
      }),
    ).toEqual({
      what: 'ITEM_PUBLISHED',
      item: 'Ink of Shop front',
      price: 1.5,
    })
  })

  it.each<Json>(['{{data}}', 'of {{data.name}}', 7, null, ['{{event}}']])(
    'custom: a template may be any JSON: %j',
    (template) => {
      const expected: Json[] = [item, 'of Ink', 7, null, ['ITEM_PUBLISHED']]
      const body = bodyOf('ITEM_PUBLISHED', item, {
        ...hook,
        payloadSize: 'custom',
        template: JSON.stringify(template),
      })
      expect(expected).toContainEqual(JSON.parse(body ?? ''))
      expect(body).not.toContain('{{')
    },
  )

  it.each([
    ['missing', null],
    ['empty', ''],
    ['not JSON', '{"a":'],
    ['a placeholder without quotes', '{"a":{{data}}}'],
    ['JavaScript', "{a:'{{event}}'}"],
    ['one that cannot be registered', '{"__proto__":{"polluted":"{{event}}"}}'],
    ['nested without end', '['.repeat(30_000) + ']'.repeat(30_000)],
  ])('custom: the full payload, without mapped members, if the template is %s', (_name, template) => {
    const mapping = { price: 'fields.price' }
    expect(bodyFor({ payloadSize: 'custom', template, mapping })).toEqual({
      event: 'ITEM_PUBLISHED',
      data: item,
      webhook: { ...visible, payloadSize: 'custom', mapping },
    })
  })

  it.each([null, '{"a":"{{event}}"}'])('none: no body, whatever else is set', (template) => {
    const mapping = { price: 'fields.price' }
    expect(bodyOf('ITEM_PUBLISHED', item, { ...hook, payloadSize: 'none', template, mapping })).toBeNull()
  })

  it('ignores a template if the size is not custom', () => {
    const template = '{"a":"{{event}}"}'
    expect(bodyFor({ template })).toEqual(bodyFor({}))
    expect(bodyFor({ template, payloadSize: 'basic' })).toEqual(bodyFor({ payloadSize: 'basic' }))
  })
})

describe('a mapping', () => {
  const paths: readonly (readonly [path: string, value: Json])[] = [
    ['name', 'Ink'],
    ['currentVersion', 3],
    ['isPublished', true],
    ['folderId', null],
    ['fields', { price: 1.5, tags: ['a', 'b'], seo: { title: 'On ink' } }],
    ['fields.tags', ['a', 'b']],
    ['fields.tags.1', 'b'],
    ['fields.seo.title', 'On ink'],
    // A path that is not in the data gives null.
    ['missing', null],
    ['fields.tags.2', null],
    ['fields.tags.length', null],
    ['data.name', null],
    ['webhook.secret', null],
    ['{{name}}', null],
    ['__proto__', null],
    ['constructor.name', null],
    ['fields.constructor.prototype', null],
    ['toString', null],
  ]

  it.each(
    (['full', 'basic'] as const).flatMap((size) =>
      paths.map(([path, value]) => [size, path, value] as const),
    ),
  )('of %s adds %s as %j to the other members', (payloadSize, path, value) => {
    const mapping = { extra: path }
    const before = bodyFor({ payloadSize, mapping: {} }) as JsonObject
    const after = bodyFor({ payloadSize, mapping }) as JsonObject
    const webhook = payloadSize === 'full' ? { ...visible, mapping } : before['webhook']
    expect(after).toEqual({ ...before, webhook, extra: value })
  })

  it('of custom and none does nothing', () => {
    const mapping = { extra: 'name' }
    expect(bodyFor({ payloadSize: 'custom', template: '{"a":1}', mapping })).toEqual({ a: 1 })
    expect(bodyFor({ payloadSize: 'none', mapping })).toBeNull()
  })

  it.each(['event', 'data', 'webhook'])('does not replace the member %s, and is rejected', (member) => {
    expect(mappingProblem(member)).toBe('is a member of every body')
    const mapped = bodyFor({ payloadSize: 'basic', mapping: { [member]: 'slug', extra: 'name' } })
    expect(mapped).toEqual({ ...(bodyFor({ payloadSize: 'basic' }) as JsonObject), extra: 'Ink' })
  })

  it.each(['Event', 'datum', 'a.b', 'x y', 'id', '0', '{{event}}'])('may add a member %j', (member) => {
    expect(mappingProblem(member)).toBeNull()
    expect(bodyFor({ payloadSize: 'basic', mapping: { [member]: 'name' } })).toMatchObject({
      [member]: 'Ink',
    })
  })

  it('to a reserved name adds a member like any other, and does not change inherited members', () => {
    const mapping: Record<string, string> = JSON.parse('{"__proto__":"fields","constructor":"name"}')
    for (const payloadSize of ['full', 'basic'] as const) {
      const body = bodyOf('ITEM_PUBLISHED', item, { ...hook, payloadSize, mapping }) ?? ''
      expect(body).toContain('"__proto__":{"price":1.5')
      expect(body).toContain('"constructor":"Ink"')
    }
    expect(({} as { price?: unknown }).price).toBeUndefined()
  })
})

describe('the content of an item', () => {
  const hostile = '{{webhook.name}}","x":"1'

  it('is the same text wherever it is inserted, and adds no member', () => {
    const named = { ...item, name: hostile }
    expect(customOf({ only: '{{data.name}}', mixed: '<{{data.name}}>', all: '{{data}}' }, named)).toEqual({
      only: hostile,
      mixed: `<${hostile}>`,
      all: named,
    })
    for (const payloadSize of ['full', 'basic'] as const) {
      const body = bodyFor({ payloadSize, mapping: { extra: 'name' } }, named) as JsonObject
      expect(Object.keys(body)).toEqual(['event', 'data', 'webhook', 'extra'])
      expect(body['extra']).toBe(hostile)
    }
  })

  it('arrives unchanged, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (name, json) => {
        const fields: Json = JSON.parse(JSON.stringify(json))
        const data = { ...item, name, fields }
        expect(bodyFor({}, data)).toEqual({ event: 'ITEM_PUBLISHED', data, webhook: visible })
        expect(customOf({ a: ['{{data.name}}'], b: { c: '{{data.fields}}' } }, data)).toEqual({
          a: [name],
          b: { c: fields },
        })
      }),
    )
  })
})

describe('secrets', () => {
  const everything: OutgoingWebhook & { readonly addedLater: string } = {
    ...hook,
    template: JSON.stringify({ token: 'CANARY-TEMPLATE', hook: '{{webhook}}' }),
    addedLater: 'CANARY-NEW',
  }

  it('are not in the part of a webhook that payloads see', () => {
    const text = JSON.stringify(serializeOutgoing(everything))
    for (const canary of canaries) expect(text).not.toContain(canary)
    expect(serializeOutgoing(hook)).toEqual(visible)
  })

  it.each(['full', 'basic', 'none'] as const)('are not in a body of %s', (payloadSize) => {
    const mapping = Object.fromEntries(
      ['secret', 'webhook', 'webhook.secret', 'headers.0.value'].map((path) => [path, path]),
    )
    const body = bodyOf('ITEM_PUBLISHED', item, { ...everything, payloadSize, mapping })
    for (const canary of canaries) expect(String(body)).not.toContain(canary)
  })

  it.each([
    '{{webhook.secret}}',
    '{{webhook.template}}',
    '{{webhook.url}}',
    '{{webhook.addedLater}}',
    '{{webhook.headers.0.value}}',
    '{{webhook.headers.authorization}}',
    '{{webhook.sealedSecret}}',
    '{{webhook.__proto__.secret}}',
    '{{webhook.constructor}}',
    '{{secret}}',
    '{{headers}}',
    '{{data.webhook.secret}}',
    '{{this.webhook.secret}}',
    '{{../webhook.secret}}',
  ])('are not the value of %s', (placeholder) => {
    const template = JSON.stringify({ only: placeholder, mixed: `<${placeholder}>` })
    expect(bodyFor({ ...everything, payloadSize: 'custom', template })).toEqual({ only: null, mixed: '<>' })
  })

  it.each(['{{webhook}}', '{{webhook.headers}}', '{{webhook.headers.0}}', '{{webhook.mapping}}'])(
    'are not in the value of %s',
    (placeholder) => {
      const template = JSON.stringify([placeholder, `<${placeholder}>`])
      const text = JSON.stringify(bodyFor({ ...everything, payloadSize: 'custom', template }))
      for (const canary of canaries) expect(text).not.toContain(canary)
      expect(text.length).toBeGreaterThan(10)
    },
  )
})

describe('the size of a body', () => {
  const failing = (webhook: Partial<OutgoingWebhook>, data = item) => {
    const body = JSON.parse(bodyOf('ITEM_PUBLISHED', data, { ...hook, ...webhook }) ?? '')
    const { id, name, slug, type } = data
    expect(body).toEqual({
      event: 'ITEM_PUBLISHED',
      data: { id: id ?? null, name: name ?? null, slug: slug ?? null, type: type ?? null },
      webhook: { name: hook.name },
      tooLarge: { limit: limits.webhookBody, path: null },
    })
  }
  const overhead = JSON.stringify({ a: '' }).length
  const template = '{"a":"{{data.text}}"}'

  it('may be the limit, in bytes and not in characters', () => {
    const most = limits.webhookBody - overhead
    expect(
      bodyOf('E', { text: 'x'.repeat(most) }, { ...hook, payloadSize: 'custom', template }),
    ).toHaveLength(limits.webhookBody)
    failing({ payloadSize: 'custom', template }, { text: 'x'.repeat(most + 1) })
    expect(
      bodyOf('E', { text: 'é'.repeat(most / 2) }, { ...hook, payloadSize: 'custom', template }),
    ).toHaveLength(most / 2 + overhead)
    failing({ payloadSize: 'custom', template }, { text: 'é'.repeat(most / 2 + 1) })
    failing({ payloadSize: 'custom', template }, { text: '"'.repeat(most / 2 + 1) })
  })

  const large = { ...item, text: 'x'.repeat(5_000_000) }

  it.each<[string, Partial<OutgoingWebhook>, JsonObject]>([
    ['the item is', {}, { ...item, text: 'x'.repeat(7_000_000) }],
    ['the item together with a mapped member is', { mapping: { copy: 'text' } }, large],
    [
      'the mapped members of basic are',
      { payloadSize: 'basic', mapping: { one: 'text', other: 'text' } },
      large,
    ],
    [
      'a template repeats it',
      { payloadSize: 'custom', template: '["{{data.text}}","{{data.text}}"]' },
      large,
    ],
    ['a text repeats it', { payloadSize: 'custom', template: '"{{data.text}}{{data.text}}"' }, large],
    [
      'the item is, for a template that is not JSON',
      { payloadSize: 'custom', template: '{' },
      { ...item, text: 'x'.repeat(7_000_000) },
    ],
  ])('is too large, so that basic is sent with a note, when %s', (_name, webhook, data) => {
    failing(webhook, data)
  })

  it('does not matter for basic and none, however large the item is', () => {
    const data = { ...item, text: 'x'.repeat(1024 ** 2) }
    expect(bodyFor({ payloadSize: 'basic' }, data)).toMatchObject({ data: { id: 'CONT_1' } })
    expect(bodyFor({ payloadSize: 'none' }, data)).toBeNull()
  })

  it('that is too large is noted with the path at which that version of the item can be read', () => {
    const text = 'x'.repeat(limits.webhookBody)
    const on = { ...item, repositoryId: 'REPO_1', latestVersion: 3, text }
    expect(bodyFor({}, { ...on, packageName: null })).toMatchObject({
      tooLarge: { path: '/api/items/REPO_1/CONT_1?version=3' },
    })
    expect(bodyFor({}, { ...on, packageName: 'spring/1' })).toMatchObject({
      tooLarge: { path: '/api/items/REPO_1/_package/spring%2F1/CONT_1?version=3' },
    })
    expect(bodyFor({}, { id: 'FOLD_1', name: 'Shelf', text })).toMatchObject({ tooLarge: { path: null } })
  })

  it('is not too large for an item of 5 MiB', () => {
    const data = { ...item, text: 'x'.repeat(5 * 1024 ** 2) }
    expect(bodyFor({}, data)).toMatchObject({ data })
  })

  it('is checked before a thousand copies are made', () => {
    const started = performance.now()
    failing({ payloadSize: 'custom', template: JSON.stringify('{{data}}'.repeat(1000)) }, large)
    failing(
      { payloadSize: 'custom', template: JSON.stringify(Array.from({ length: 1000 }, () => '{{data}}')) },
      large,
    )
    failing(
      { mapping: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`m${n}`, 'text'])) },
      large,
    )
    expect(performance.now() - started).toBeLessThan(3000)
  })
})
