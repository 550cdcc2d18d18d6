import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Item } from '../content/items/shapes.ts'
import { endpoints } from '../contract.ts'
import { PublishedItem } from '../delivery/published/shapes.ts'
import type { Endpoint } from '../endpoint.ts'
import { errorTable } from '../error-table.ts'
import type { ErrorCode } from '../errors.ts'
import { proxiedMethods } from '../proxied-headers.ts'
import { openApiDocument } from './document.ts'
import { isJsonObject, type JsonObject } from './json.ts'

const document = openApiDocument({ baseUrl: 'http://127.0.0.1:3000', version: '1.2.3' })
const operations = Object.values(document.paths).flatMap((path) => Object.values(path).filter(isJsonObject))
const byId = new Map(operations.map((operation) => [String(operation['operationId']), operation]))
const root = join(import.meta.dirname, '../../../..')

/** Whether a response has a JSON example. Bytes and headers are only described. */
function answersJson({ success, answer, body }: Endpoint): boolean {
  return success !== 204 && answer === 'json' && body !== 'tus'
}

describe('the OpenAPI document', () => {
  it('is valid and lint-clean, and its examples match its schemas', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-openapi-'))
    const file = join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(document))
    const config = join(import.meta.dirname, 'redocly.yaml')
    const lint = promisify(execFile)(
      process.execPath,
      [
        join(root, 'test/node_modules/@redocly/cli/bin/cli.js'),
        'lint',
        file,
        '--config',
        config,
        '--format',
        'json',
      ],
      {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        maxBuffer: 1e8,
      },
    )
    const outcome = await lint.catch((error: { stdout: string }) => error)
    await rm(folder, { recursive: true })
    const { problems } = JSON.parse(outcome.stdout.slice(outcome.stdout.indexOf('{'))) as {
      problems: { message: string }[]
    }
    expect(problems.map(({ message }) => message)).toEqual([])
  })

  it('has every endpoint, and those with a package path twice', () => {
    const expected = endpoints.flatMap(({ group, operation, endpoint }) => {
      const id = `${group}.${operation}`
      if (endpoint.body === 'message') return proxiedMethods.map((method) => `${id}${method}`)
      return endpoint.packagePath === undefined ? [id] : [id, `${id}InPackage`]
    })
    expect([...byId.keys()].toSorted()).toEqual(expected.toSorted())
    expect(operations).toHaveLength(expected.length)
  })

  const parameters = operations.flatMap((operation) => (operation['parameters'] ?? []) as JsonObject[])
  const ownParameters = parameters.filter((parameter) => parameter['$ref'] === undefined)

  it('has a description of every parameter, and an example of each that is required', () => {
    const bare = ownParameters.filter(
      ({ description, example, required }) =>
        description === undefined || (example === undefined) === (required === true),
    )
    expect(bare.map((parameter) => parameter['name'])).toEqual([])
  })

  it('has no example of an optional parameter, because tools that try requests out send them all', () => {
    const shared = Object.values(document.components['parameters'] as Record<string, JsonObject>)
    const sent = [...ownParameters, ...shared].filter(
      ({ required, example, content }) =>
        required !== true && (example !== undefined || JSON.stringify(content ?? {}).includes('"example"')),
    )
    expect(sent).toEqual([])
  })

  it.each([...byId])('%s has an example of each of its errors', (id, operation) => {
    const responses = operation['responses'] as Record<string, JsonObject>
    const visible = (code: ErrorCode) => JSON.stringify(responses[errorTable[code].status])
    for (const code of [...endpointOf(id).errors, 'invalid', 'internal', 'unavailable'] as const) {
      expect(visible(code)).toContain(id === 'auth.token' && errorTable[code].status < 500 ? '"error"' : code)
    }
  })

  it.each([...byId].filter(([id]) => answersJson(endpointOf(id))))(
    '%s has an example of its response',
    (id, operation) => {
      const responses = operation['responses'] as Record<string, JsonObject>
      const content = responses[endpointOf(id).success]?.['content'] as JsonObject
      expect(content['application/json']).toHaveProperty('example')
    },
  )

  it.each([...byId].filter(([id]) => endpointOf(id).answer === 'events'))(
    '%s has an example of an event',
    (_, operation) => {
      const { 200: answered } = operation['responses'] as Record<string, JsonObject>
      expect(answered?.['content']).toEqual({
        'text/event-stream': { schema: expect.anything(), example: expect.anything() },
      })
      expect(answered?.['headers']).not.toHaveProperty('ETag')
    },
  )

  it.each([...byId].filter(([id]) => endpointOf(id).permission !== 'public'))(
    '%s can be 401',
    (_, operation) => {
      expect(operation['responses']).toHaveProperty('401')
    },
  )

  // The result of a deletion has `items` too, but is not a list.
  const lists = [...byId].filter(
    ([id, operation]) => endpointOf(id).method !== 'DELETE' && listSchemaOf(operation) !== null,
  )

  it('knows the lists', () => {
    expect(lists.length).toBeGreaterThan(50)
  })

  it.each(lists)(
    '%s always has a count (specification 2.1), unless the caller asks for none',
    (id, operation) => {
      const { required = [], properties = {} } = listSchemaOf(operation) ?? {}
      expect(required).toContain('count')
      expect(properties['count']).toMatchObject({ type: 'integer' })
      const { input, output, example } = endpointOf(id)
      const isSkippable = 'skipCount' in input.shape || id.startsWith('queries.run')
      const { count: _, ...uncounted } = example.output as { count: number }
      expect(output.safeParse(uncounted).success).toBe(isSkippable)
    },
  )

  it.each([...byId])('%s can be 400, 429, 500 and 503 for any caller', (_, operation) => {
    const statuses = Object.keys(operation['responses'] as object)
    expect(statuses).toEqual(expect.arrayContaining(['400', '429', '500', '503']))
  })

  it('has only patterns that tools without Unicode properties understand', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)]
    const texts = new Set(patterns.map(([, text = '']) => JSON.parse(text) as string))
    expect(texts.size).toBeGreaterThan(15)
    expect([...texts].filter((text) => text.includes(String.raw`\p{`))).toEqual([])
  })

  it.each([
    ['ReadItem', Item],
    ['ReadPublishedItem', PublishedItem],
  ])('lists as required in a %s what is absent only with `select`', (name, { shape }) => {
    const { [name]: schema } = document.components['schemas'] as Record<string, JsonObject>
    const always = Object.entries<z.ZodType>(shape).filter(([, member]) => !(member instanceof z.ZodOptional))
    expect(schema?.['required']).toEqual(always.map(([member]) => member))
    expect(schema?.['properties']).toHaveProperty('included')
  })

  it('gives the token endpoint its own errors', () => {
    const responses = byId.get('auth.token')?.['responses']
    expect(JSON.stringify(responses)).toContain('{"error":"invalid_client"}')
    expect(byId.get('auth.token')?.['security']).toEqual([{}, { client: [] }])
  })

  it('has tags with the specification’s names, each described', () => {
    const tags = document['tags'] as { name: string; description?: string }[]
    expect(tags.map(({ name }) => name)).toEqual([
      'Authentication',
      'User',
      'Items',
      'Assets',
      'Renditions',
      'Published Assets',
      'Content Management',
      'References',
      'Dependencies',
      'Activity',
      'Queries',
      'GraphQL',
      'Workflow',
      'Workflow Admin',
      'Security',
      'Sites',
      'Queue',
      'Admin',
      'AI',
      'Integration',
    ])
    expect(tags.filter(({ description }) => !description)).toEqual([])
  })

  it('takes addresses and the version from its options', () => {
    expect(document['servers']).toEqual([{ url: 'http://127.0.0.1:3000' }])
    expect(document.info['version']).toBe('1.2.3')
  })

  it('has no named schema that is used only once', () => {
    const text = JSON.stringify(document)
    expect(text).not.toMatch(/\$defs|\$schema|__schema/)
  })
})

describe('the examples', () => {
  const named = endpoints.map(
    ({ group, operation, endpoint }) => [`${group}.${operation}`, endpoint] as const,
  )

  it.each(named)('of %s match its input', (_, { input, example }) => {
    expect(input.safeParse(example.input).error).toBeUndefined()
  })

  it.each(named.filter(([, { success, answer }]) => success !== 204 && answer === 'json'))(
    'of %s match its output',
    (_, { output, example }) => {
      expect(output.safeParse(example.output).error).toBeUndefined()
    },
  )
})

interface ListSchema {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly $ref?: string }>>
}

/** The response schema of an operation if it is a list; otherwise null. */
function listSchemaOf(operation: Record<string, unknown>): ListSchema | null {
  const { 200: success } = operation['responses'] as Record<number, { content?: Json } | undefined>
  const given = success?.content?.['application/json']?.schema
  const { schemas } = document.components as { schemas: Record<string, ListSchema> }
  const schema = given?.$ref === undefined ? given : schemas[given.$ref.split('/').at(-1) ?? '']
  return schema?.properties?.['items']?.type === 'array' ? schema : null
}

type Json = Readonly<
  Record<string, { readonly schema?: ListSchema & { readonly $ref?: string } } | undefined>
>

function endpointOf(id: string) {
  const found = endpoints.find(
    ({ group, operation }) => id.replace(/InPackage|(?<=\.pass)[A-Z]+/, '') === `${group}.${operation}`,
  )
  return found!.endpoint
}
