import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ContentType } from '../index.ts'
import { scalarKinds } from '../content/types/field-kinds.ts'
import { contentTypesText } from './index.ts'

interface NamedField {
  readonly name: string
}

const madeBy = 'quire types --repository magazine'
const tsc = join(import.meta.dirname, '../../../../node_modules/.bin/tsc')

interface Described {
  readonly name: string
  readonly apiName?: string
  readonly displayName?: string
  readonly description?: string
  readonly fields: readonly unknown[]
}

function aType({ name, apiName = 'Article', displayName = 'Article', description = '', fields }: Described) {
  const [id, date] = [`TYPE_${name}`, 0]
  const named = { id, name, apiName, displayName, description, fields }
  return ContentType.parse({ ...named, settings: {}, isLocked: false, createdDate: date, updatedDate: date })
}

const textOf = (...types: readonly ContentType[]) => contentTypesText({ types, madeBy })

/** The errors of a strict compiler for some modules, compiled as one program. */
function problemsOf(modules: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'quire-types-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [index, text] of modules.entries()) writeFileSync(join(folder, `module-${index}.ts`), text)
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return spawnSync(tsc, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' }).stdout
}

describe('the text of content types', () => {
  it('has an optional member for each kind of field, with its description', () => {
    const article = aType({
      name: 'article',
      description: 'What the magazine\nprints.',
      fields: [
        { name: 'title', label: 'Title', kind: 'text', required: true, help: 'Short */ and plain' },
        { name: 'tone', kind: 'text', settings: { options: ['calm', "it's loud", 'a "b" \\'] } },
        { name: 'topics', kind: 'text', list: true, settings: { options: ['ink', 'paper'] } },
        { name: 'words', kind: 'text', list: true },
        { name: 'body', kind: 'richText', settings: { format: 'markdown' } },
        { name: 'minutes', kind: 'integer' },
        { name: 'isFree', kind: 'boolean' },
        { name: 'day', kind: 'date' },
        { name: 'at', kind: 'datetime' },
        { name: 'author', kind: 'reference', settings: { types: ['author'] } },
        { name: 'place', kind: 'geo' },
        { name: 'data', kind: 'json' },
        { name: 'seo', kind: 'group', settings: { fields: [{ name: 'title', kind: 'text' }] } },
        {
          name: 'blocks',
          kind: 'union',
          list: true,
          settings: {
            variants: [
              { name: 'quote', fields: [{ name: 'words', kind: 'text' }] },
              { name: 'rule', fields: [] },
            ],
          },
        },
      ],
    })
    expect(textOf(article, aType({ name: 'opening-hours', apiName: 'OpeningHours', fields: [] }))).toBe(
      expected,
    )
  })

  it('has localized values plain, and by locale', () => {
    const words = { name: 'words', kind: 'text', localized: true }
    const article = aType({
      name: 'article',
      fields: [
        { name: 'topics', kind: 'text', list: true, localized: true },
        { name: 'minutes', kind: 'integer' },
        {
          name: 'blocks',
          kind: 'union',
          list: true,
          settings: { variants: [{ name: 'quote', fields: [words] }] },
        },
      ],
    })
    const author = aType({ name: 'author', apiName: 'Author', fields: [{ name: 'born', kind: 'integer' }] })
    const text = contentTypesText({ types: [article, author], hasLocales: true, madeBy })
    expect(text.slice(text.indexOf('/** The fields of each content type, by its name. */'))).toBe(byLocale)
    expect(contentTypesText({ types: [author], hasLocales: true, madeBy })).toBe(textOf(author))
    expect(textOf(article)).not.toContain('ByLocale')
    const use = `import type { ArticleFieldsByLocale, Content } from './module-0.js'
      export const right: ArticleFieldsByLocale = { topics: { de: ['Tinte'] }, minutes: 1 }
      export const localized: NonNullable<Content['localized']>['article'] = right
      export const wrong: ArticleFieldsByLocale = { topics: ['Tinte'] }`
    expect(problemsOf([text, use]).match(/module-\d\.ts\(\d+(?=,\d+\): error)/g)).toEqual(['module-1.ts(4'])
  })

  it('does not depend on the order of the types', () => {
    const [one, other] = [aType({ name: 'b', fields: [] }), aType({ name: 'a', apiName: 'A', fields: [] })]
    expect(textOf(one, other)).toBe(textOf(other, one))
  })

  it('has distinct names for types whose API names differ only in case', () => {
    const names = ['Article', 'article', 'article2'].map((apiName, index) =>
      aType({ name: `type-${index}`, apiName, fields: [] }),
    )
    expect(textOf(...names).match(/^export type \w+/gm)).toEqual([
      'export type ArticleFields',
      'export type Article2Fields',
      'export type Article22Fields',
    ])
  })

  it('writes a simple JSON Schema as a type, and any other as any JSON', () => {
    const typeOf = (schema: unknown) => {
      const field = { name: 'data', kind: 'json', settings: { schema } }
      return /data\?: (.*)/.exec(textOf(aType({ name: 'a', fields: [field] })))?.[1]
    }
    const size = { type: 'object', additionalProperties: false, required: ['w'] }
    expect(
      typeOf({ ...size, properties: { w: { type: 'number' }, 'a-b': { type: ['string', 'null'] } } }),
    ).toBe("{ w: number; 'a-b'?: string | null }")
    expect(typeOf({ type: 'array', items: { enum: ['a', 1, null] } })).toBe("('a' | 1 | null)[]")
    expect(typeOf({ type: 'object', properties: { w: { type: 'number' } } })).toBe('{ [name: string]: Json }')
    expect(typeOf({ ...size, properties: { w: { type: 'number', default: 1 } } })).toBe('{ w: Json }')
    expect(typeOf({ anyOf: [{ type: 'string' }] })).toBe('Json')
    expect(typeOf({ const: 'a', type: 'string' })).toBe("'a'")
  })

  it('compiles for any content types', () => {
    // One program for all modules, because starting the compiler takes longer than checking. The
    // seed reproduces a failure.
    const seed = Date.now()
    const modules = fc.sample(types, { numRuns: 200, seed }).map((some) => textOf(...some))
    expect({ seed, problems: problemsOf(modules) }).toEqual({ seed, problems: '' })
  })

  it('is checked by a compiler that reports errors', () => {
    const text = textOf(aType({ name: 'a', fields: [{ name: 'title', kind: 'text' }] }))
    expect(problemsOf([`${text}\nexport const wrong: ContentTypes['a'] = { title: 1 }\n`])).toContain(
      'TS2322',
    )
  })
})

const given = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('*/ export const x = 1 /*', '\n}', '\u2028', '\ud800', '`${x}`', "'", '\\', '"'),
)
const fieldName = fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,6}$/).filter((name) => name !== 'constructor')

const schema = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object') }),
    fc.record({
      enum: fc.array(fc.oneof(given, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null))),
    }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(given, tie('schema'), { maxKeys: 3 }),
      required: fc.array(given),
      additionalProperties: fc.boolean(),
    }),
    fc.record({ anyOf: fc.array(tie('schema')) }),
  ),
})).schema

const fields = fc.letrec<{ field: NamedField; fields: NamedField[] }>((tie) => ({
  field: fc
    .record({
      name: fieldName,
      label: given,
      help: given,
      required: fc.boolean(),
      list: fc.boolean(),
      of: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(...Object.keys(scalarKinds)).map((kind) => ({ kind })),
        fc.array(given.filter(Boolean)).map((options) => ({ kind: 'text', settings: { options } })),
        fc.array(given.filter(Boolean)).map((types) => ({ kind: 'reference', settings: { types } })),
        schema.map((value) => ({ kind: 'json', settings: { schema: value } })),
        tie('fields').map((inner) => ({ kind: 'group', settings: { fields: inner } })),
        fc
          .array(fc.record({ name: fieldName, fields: tie('fields') }), { minLength: 1, maxLength: 3 })
          .map((variants) => ({ kind: 'union', settings: { variants: variants.map(withoutType) } })),
      ),
    })
    .map(({ of, ...field }) => ({ ...field, ...of })),
  fields: fc.uniqueArray(tie('field'), { selector: ({ name }) => name, maxLength: 4 }),
})).fields

const types = fc
  .uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-z][a-z0-9]{0,3}(-[a-z0-9]{1,3}){0,2}$/),
      apiName: fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,4}$/),
      displayName: given.filter((text) => text.trim() !== ''),
      description: given,
      fields,
    }),
    { selector: ({ name }) => name, maxLength: 4 },
  )
  .map((some) => some.map(aType))

/** A block has its variant in `type`, so the engine rejects a field with that name. */
function withoutType(variant: { name: string; fields: NamedField[] }) {
  return { ...variant, fields: variant.fields.filter(({ name }) => name !== 'type') }
}

const expected = `// Generated by \`quire types --repository magazine\`: do not edit. Run it again when a content type has changed.

/** Any JSON. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/**
 * The fields of Article (\`article\`).
 * What the magazine prints.
 */
export interface ArticleFields {
  /**
   * Title. Required for publishing.
   * Short *\\/ and plain
   */
  title?: string
  tone?: 'calm' | 'it\\'s loud' | 'a "b" \\\\'
  topics?: ('ink' | 'paper')[]
  words?: string[]
  /** Markdown. */
  body?: string
  minutes?: number
  isFree?: boolean
  /** YYYY-MM-DD. */
  day?: string
  /** Unix milliseconds. */
  at?: number
  /** The id of an item of the type author. */
  author?: string
  place?: { lat: number; lng: number }
  data?: Json
  seo?: {
    title?: string
  }
  blocks?: ({
    type: 'quote'
    words?: string
  } | {
    type: 'rule'
  })[]
}

/** The fields of Article (\`opening-hours\`). */
export type OpeningHoursFields = Record<string, never>

/** The fields of each content type, by its name. */
export interface ContentTypes {
  article: ArticleFields
  'opening-hours': OpeningHoursFields
}
`

const byLocale = `/** The fields of each content type, by its name. */
export interface ContentTypes {
  article: ArticleFields
  author: AuthorFields
}

/** The fields of Article (\`article\`) in all locales, as calls with \`locale: '*'\` have them. */
export interface ArticleFieldsByLocale {
  topics?: { [locale: string]: string[] }
  minutes?: number
  blocks?: ({
    type: 'quote'
    words?: { [locale: string]: string }
  })[]
}

/** The fields of each content type in all locales, as calls with \`locale: '*'\` have them. */
export interface ContentTypesByLocale {
  article: ArticleFieldsByLocale
  author: AuthorFields
}

/** Both, for \`createClient<Content>(…)\`: the locale of a call decides which fields it has. */
export interface Content {
  readonly types: readonly object[]
  readonly content?: ContentTypes
  readonly localized?: ContentTypesByLocale
}
`
