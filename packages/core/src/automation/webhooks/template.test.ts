import { limits } from '@quire/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../ports/index.ts'
import { fillTemplate, readTemplate, templateProblem } from './template.ts'

const context: JsonObject = {
  event: 'ITEM_PUBLISHED',
  data: {
    name: 'Ink',
    count: 3,
    price: 1.5,
    large: 1e21,
    yes: true,
    no: false,
    none: null,
    empty: '',
    fields: { seo: { title: 'On "ink"' } },
    list: ['a', 1, null],
    nothing: [],
    hostile: '{{webhook.name}}","x":"1',
    dollars: "$& $1 $$ $` $'",
  },
  webhook: { name: 'Shop' },
}

const fill = (template: Json, most = Number.POSITIVE_INFINITY) => {
  let spent = 0
  const filled = fillTemplate(template, context, (characters) => {
    spent += characters
    if (spent > most) throw new RangeError('too much')
  })
  return { filled, spent }
}

describe('a text that is exactly one placeholder', () => {
  it.each<[string, Json]>([
    ['{{event}}', 'ITEM_PUBLISHED'],
    ['{{data.name}}', 'Ink'],
    ['{{ data.name }}', 'Ink'],
    ['{{\tdata.name\n}}', 'Ink'],
    ['{{data.count}}', 3],
    ['{{data.price}}', 1.5],
    ['{{data.large}}', 1e21],
    ['{{data.yes}}', true],
    ['{{data.no}}', false],
    ['{{data.none}}', null],
    ['{{data.empty}}', ''],
    ['{{data.fields}}', { seo: { title: 'On "ink"' } }],
    ['{{data.fields.seo.title}}', 'On "ink"'],
    ['{{data.list}}', ['a', 1, null]],
    ['{{data.list.0}}', 'a'],
    ['{{data.list.1}}', 1],
    ['{{data.nothing}}', []],
    ['{{webhook}}', { name: 'Shop' }],
    ['{{data}}', context['data'] ?? null],
    ['{{data.hostile}}', '{{webhook.name}}","x":"1'],
    // A path that leads nowhere gives null.
    ['{{data.missing}}', null],
    ['{{missing}}', null],
    ['{{data.list.3}}', null],
    ['{{data.list.length}}', null],
    ['{{}}', null],
    ['{{ }}', null],
    ['{{.}}', null],
    ['{{data.}}', null],
    ['{{data.a + 1}}', null],
    ['{{data.count + 1}}', null],
    ['{{#each}}', null],
    ['{{#if data.yes}}', null],
    ['{{/if}}', null],
    ['{{> partial}}', null],
    ['{{data.name | upcase}}', null],
    ['{{data["name"]}}', null],
    ['{{data.toString}}', null],
    ['{{__proto__.x}}', null],
    ['{{constructor.name}}', null],
    ['{{data.constructor.prototype}}', null],
    ['{{data.__proto__}}', null],
    [`{{data.${'x'.repeat(200)}}}`, null],
  ])('%j becomes %j', (text, value) => {
    expect(fill(text).filled).toEqual(value)
  })
})

describe('a text with placeholders in it', () => {
  it.each([
    ['New: {{data.name}}', 'New: Ink'],
    ['{{data.name}}!', 'Ink!'],
    [' {{data.count}}', ' 3'],
    ['{{data.count}} ', '3 '],
    ['{{data.name}}\n', 'Ink\n'],
    ['{{data.name}}{{data.count}}', 'Ink3'],
    ['{{data.name}}-{{data.name}}', 'Ink-Ink'],
    ['{{ event }}: {{ data.name }}', 'ITEM_PUBLISHED: Ink'],
    ['is {{data.yes}}, not {{data.no}}', 'is true, not false'],
    ['{{data.price}} {{data.large}}', '1.5 1e+21'],
    ['[{{data.none}}]', '[]'],
    ['[{{data.missing}}]', '[]'],
    ['[{{data.empty}}]', '[]'],
    ['[{{}}]', '[]'],
    ['[{{#each}}]', '[]'],
    ['[{{data.a + 1}}]', '[]'],
    ['[{{data.constructor.prototype}}{{__proto__.x}}{{data.toString}}]', '[]'],
    ['of {{data.list}}', 'of ["a",1,null]'],
    ['of {{data.nothing}}', 'of []'],
    ['of {{data.fields}}', String.raw`of {"seo":{"title":"On \"ink\""}}`],
    ['says {{data.fields.seo.title}}', 'says On "ink"'],
    ['says {{data.hostile}}', 'says {{webhook.name}}","x":"1'],
    ['{{data.hostile}}{{data.name}}', '{{webhook.name}}","x":"1Ink'],
    ['pay {{data.dollars}}', "pay $& $1 $$ $` $'"],
    // Anything that only looks like a placeholder is text.
    ['plain', 'plain'],
    ['', ''],
    ['{data.name}', '{data.name}'],
    ['{{data.name', '{{data.name'],
    ['data.name}}', 'data.name}}'],
    ['{{data.name}', '{{data.name}'],
    ['{ {data.name} }', '{ {data.name} }'],
    ['{{{data.name}}}', '{Ink}'],
    ['{{{{data.name}}}}', '{{Ink}}'],
    ['{{data.{{event}}}}', '{{data.ITEM_PUBLISHED}}'],
    ['${data.name} <%= data.name %>', '${data.name} <%= data.name %>'],
  ])('%j becomes %j', (text, value) => {
    expect(fill(text).filled).toBe(value)
  })
})

describe('a template', () => {
  it('is filled in all its texts, and keeps everything else', () => {
    const template = {
      text: 'New: {{data.name}}',
      block: { count: '{{data.count}}', list: ['{{data.yes}}', ['{{data.missing}}'], { deep: '{{event}}' }] },
      number: 1,
      no: false,
      none: null,
      list: [],
      object: {},
    }
    expect(fill(template).filled).toEqual({
      text: 'New: Ink',
      block: { count: 3, list: [true, [null], { deep: 'ITEM_PUBLISHED' }] },
      number: 1,
      no: false,
      none: null,
      list: [],
      object: {},
    })
  })

  it('keeps the names of members as they are, and their order', () => {
    const { filled } = fill({ z: 1, '{{data.name}}': 2, a: '{{data.count}}' })
    expect(JSON.stringify(filled)).toBe('{"z":1,"{{data.name}}":2,"a":3}')
  })

  it.each<Json>(['{{data.count}}', 1, null, true, ['{{event}}']])('may be any JSON: %j', (template) => {
    expect(fill(template).filled).toEqual(
      { '"{{data.count}}"': 3, '["{{event}}"]': ['ITEM_PUBLISHED'] }[JSON.stringify(template)] ?? template,
    )
  })

  it('does not change what it is filled from, nor itself', () => {
    const template = { a: '{{data}}', b: ['{{data.name}} {{event}}'] }
    const before = JSON.stringify([template, context])
    fill(template)
    expect(JSON.stringify([template, context])).toBe(before)
  })

  it('spends the characters of its placeholders, and none for its own text', () => {
    expect(fill({ a: 'plain text' }).spent).toBe(0)
    expect(fill('{{data.name}}').spent).toBe('"Ink"'.length)
    expect(fill('{{data.missing}}').spent).toBe('null'.length)
    expect(fill('is {{data.list}}, {{data.name}}{{data.none}}').spent).toBe('["a",1,null]Ink'.length)
  })

  it('stops when it spends too much, in one text or in many', () => {
    expect(() => fill('x{{data.name}}'.repeat(1000), 2999)).toThrow('too much')
    expect(() =>
      fill(
        Array.from({ length: 1000 }, () => '{{data.name}}'),
        4999,
      ),
    ).toThrow('too much')
    expect(fill('x{{data.name}}'.repeat(1000), 3000).spent).toBe(3000)
  })

  it('creates members of any name without changing inherited members of objects', () => {
    const template: Json = JSON.parse(
      '{"__proto__":{"polluted":"{{event}}"},"a":{"constructor":{"prototype":{"polluted":1}}}}',
    )
    const { filled } = fill(template)
    expect(JSON.stringify(filled)).toContain('{"__proto__":{"polluted":"ITEM_PUBLISHED"}')
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe('filling a template', () => {
  const text = fc.array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        '{{data}}',
        '{{data.a}}',
        '{{ data.a.0 }}',
        '{{event}}',
        '{{missing}}',
        '{{',
        '}}',
        '"',
        '\\',
        '{{data.__proto__}}',
      ),
    ),
    { maxLength: 4 },
  )
  const { tree } = fc.letrec<{ tree: Json; text: string }>((tie) => ({
    text: text.map((parts) => parts.join('')),
    tree: fc.oneof(
      { depthSize: 'small' },
      tie('text'),
      fc.constantFrom<Json>(1, true, null),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('tree'), { maxKeys: 3 }),
    ),
  }))

  /** The structure of JSON, ignoring the values that placeholders may fill. */
  const shapeOf = (value: Json, template: Json): Json => {
    if (typeof template === 'string') return /^\{\{[^{}]*\}\}$/.test(template) ? 'any' : typeof value
    if (typeof template !== 'object' || template === null) return template === value ? 'same' : 'other'
    if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(template))
      return 'other'
    return Object.entries<Json>(value).map(([name, member], index) => [
      name,
      shapeOf(member, Object.values<Json>(template)[index] ?? null),
    ])
  }

  it('never changes its structure, whatever is inserted', () => {
    fc.assert(
      fc.property(tree, fc.jsonValue(), fc.string(), (template, json, event) => {
        const data: Json = JSON.parse(JSON.stringify({ a: json }))
        const filled = fillTemplate(template, { event, data, webhook: {} }, () => undefined)
        const received: Json = JSON.parse(JSON.stringify(filled))
        expect(received).toEqual(filled)
        expect(shapeOf(received, template)).toEqual(shapeOf(template, template))
      }),
      { numRuns: 500 },
    )
  })

  it('leaves a template without placeholders as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const template: Json = JSON.parse(JSON.stringify(json).replaceAll('{{', '{ {'))
        expect(fill(template).filled).toEqual(template)
      }),
    )
  })

  it('inserts any text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const only = fillTemplate({ a: '{{data}}', b: '<{{data}}>' }, { data: name }, () => undefined)
        expect(only).toEqual({ a: name, b: `<${name}>` })
      }),
    )
  })
})

describe('registering a template', () => {
  it.each([
    '{"text":"New: {{data.name}}"}',
    '"{{data}}"',
    'null',
    // Not JSON: the full payload is sent.
    '',
    '{{data.name}}',
    '{"text":',
    '{{data.name}} '.repeat(1000),
    '['.repeat(60_000),
  ])('accepts %j', (template) => {
    expect(templateProblem(template)).toBeNull()
  })

  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

  it.each([
    [
      'that is longer than 64 Ki characters',
      JSON.stringify('x'.repeat(limits.webhookTemplate - 1)),
      'is longer than 65536 characters',
    ],
    ['of 1 MiB that is not JSON', 'x'.repeat(1024 ** 2), 'is longer than 65536 characters'],
    ['with 1 001 placeholders', JSON.stringify('{{a}}'.repeat(1001)), 'has more than 1000 placeholders'],
    ['with 10 000 placeholders', JSON.stringify('{{a}}'.repeat(10_000)), 'has more than 1000 placeholders'],
    ['with 10 000 placeholders that is not JSON', '{{a}}'.repeat(10_000), 'has more than 1000 placeholders'],
    ['nested 65 deep', nested(65), 'is nested more than 64 deep'],
    ['nested 30 000 deep', nested(30_000), 'is nested more than 64 deep'],
    ['with a member __proto__', '{"a":[{"__proto__":{}}]}', 'has a member of the reserved name __proto__'],
    [
      'with an escaped __proto__',
      String.raw`{"\u005f_proto__":1}`,
      'has a member of the reserved name __proto__',
    ],
    ['with a member constructor', '{"constructor":1}', 'has a member of the reserved name constructor'],
    ['with a member prototype', '{"prototype":1}', 'has a member of the reserved name prototype'],
  ])('rejects one %s', (_name, template, problem) => {
    expect(templateProblem(template)).toBe(problem)
  })

  it('accepts one of 64 Ki characters, and one nested 64 deep', () => {
    expect(templateProblem(JSON.stringify('x'.repeat(limits.webhookTemplate - 2)))).toBeNull()
    expect(templateProblem(nested(64))).toBeNull()
  })

  it('is fast even for a template full of braces', () => {
    const started = performance.now()
    for (const text of ['{', '}', '{{', '{{ ', '{{a}', '{ {{']) {
      templateProblem(text.repeat(limits.webhookTemplate / text.length))
      fill(text.repeat(limits.webhookTemplate / text.length))
    }
    expect(performance.now() - started).toBeLessThan(3000)
  })
})

describe('reading a template', () => {
  it.each<[string | null, Json | undefined]>([
    ['{"a":"{{event}}"}', { a: '{{event}}' }],
    ['"x"', 'x'],
    ['null', null],
    ['0', 0],
    [null, undefined],
    ['', undefined],
    ['{{event}}', undefined],
    ["{'a':1}", undefined],
    ['{"a":1,}', undefined],
    ['{"a":"{{event}}"} x', undefined],
    ['{"__proto__":{}}', undefined],
    [`${'['.repeat(30_000)}${']'.repeat(30_000)}`, undefined],
  ])('of %j gives %j', (text, json) => {
    expect(readTemplate(text)).toEqual(json)
  })
})
