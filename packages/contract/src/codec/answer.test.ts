import { describe, expect, it } from 'vitest'
import { endpoints, type NamedEndpoint } from '../contract.ts'
import { errorTable } from '../error-table.ts'
import { QuireError, TokenError, type ErrorCode } from '../errors.ts'
import { encodeAnswer, type Outcome, type Reply } from './index.ts'
import { decodeResponse } from './whole.ts'

function find(group: string, operation: string): NamedEndpoint {
  const named = endpoints.find((candidate) => candidate.group === group && candidate.operation === operation)
  if (!named) throw new Error(`no ${group}.${operation}`)
  return named
}

const context = { requestId: 'REQ_1' }
const serialized = { text: '{"id":"CONT_1"}', etag: 'r7', replayed: false }

function reply(name: string, outcome: Outcome | QuireError | TokenError, more = {}): Reply {
  const [group = '', operation = ''] = name.split('.')
  return encodeAnswer(find(group, operation), outcome, { ...context, ...more })
}

/** What the client makes of a reply. */
function receive(name: string, { status, headers, body = '' }: Reply): unknown {
  const [group = '', operation = ''] = name.split('.')
  return decodeResponse(find(group, operation).endpoint, {
    status,
    header: (key) => headers[key] ?? null,
    text: body,
  })
}

describe('a response', () => {
  it('is sent as it is stored, with its entity tag', () => {
    expect(reply('items.get', serialized)).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': 'REQ_1',
        'cache-control': 'private, no-cache',
        etag: '"r7"',
      },
      body: '{"id":"CONT_1"}',
    })
  })

  it.each(['"r7"', 'W/"r7"', '"r6", "r7"', '*'])(
    'is 304 without a body when the caller has the current revision: %s',
    (ifNoneMatch) => {
      const { status, headers, body } = reply('items.get', serialized, { ifNoneMatch })
      expect([status, headers['etag'], body]).toEqual([304, '"r7"', undefined])
    },
  )

  it.each(['"r6"', 'r7', ''])('is sent whole when the caller has another revision: %s', (ifNoneMatch) => {
    expect(reply('items.get', serialized, { ifNoneMatch }).status).toBe(200)
  })

  it('to a write is never 304', () => {
    expect(reply('items.publish', serialized, { ifNoneMatch: '*' }).status).toBe(200)
  })

  it.each([
    ['items.create', { id: 'CONT_1', repositoryId: 'REPO_1', packageName: null }, '/api/items/REPO_1/CONT_1'],
    [
      'items.create',
      { id: 'CONT_1', repositoryId: 'REPO_1', packageName: 'a b' },
      '/api/items/REPO_1/_package/a%20b/CONT_1',
    ],
    ['items.copy', { id: 'CONT_2', repositoryId: 'REPO_2', packageName: null }, '/api/items/REPO_2/CONT_2'],
    ['types.create', { id: 'TYPE_1' }, '/api/content/management/types/TYPE_1'],
    ['repositories.create', { id: 'REPO_1' }, '/api/content/management/repositories/REPO_1'],
    ['roles.create', { id: 'ROLE_1' }, '/api/security/roles/ROLE_1'],
    ['serviceAccounts.create', { id: 'SVCA_1' }, '/api/security/serviceAccounts/SVCA_1'],
    ['serviceAccounts.addSecret', { id: 'SVCA_1' }, '/api/security/serviceAccounts/SVCA_1'],
  ])('to %s has the URL of what was created', (name, value, location) => {
    const created = reply(name, { value })
    expect([created.status, created.headers['location']]).toEqual([201, location])
  })

  it('has a Location on every 201 of the contract', () => {
    const created = endpoints.filter(({ endpoint }) => endpoint.success === 201)
    const without = created.filter(
      (named) => !encodeAnswer(named, { value: named.endpoint.example.output }, context).headers['location'],
    )
    expect(without.map(({ group, operation }) => `${group}.${operation}`)).toEqual([])
  })

  it('is 204 without a body when there is no output, replayed or not', () => {
    expect(reply('roles.delete', { value: undefined })).toEqual({
      status: 204,
      headers: { 'x-request-id': 'REQ_1', 'cache-control': 'no-store' },
    })
    expect(reply('roles.delete', { text: 'null', etag: null, replayed: true }).status).toBe(204)
    expect(receive('roles.delete', reply('roles.delete', { value: undefined }))).toBeUndefined()
  })

  it('is 202 for work that continues in the background', () => {
    const begun = { id: 'JOB_1', state: 'running' }
    const accepted = reply('admin.rebuildIndex', { value: begun })
    expect(accepted.status).toBe(202)
    expect(receive('admin.rebuildIndex', accepted)).toEqual(begun)
  })

  it('to a dry run of a deletion is 200 with what would happen', () => {
    expect(reply('items.delete', { value: { deleted: {} } })).toMatchObject({
      status: 200,
      body: '{"deleted":{}}',
    })
  })

  it('says when it is replayed', () => {
    const replayed = reply('items.create', { ...serialized, replayed: true })
    expect(replayed.headers['idempotency-replayed']).toBe('true')
  })

  it('that contains a token or a secret is not cached', () => {
    expect(reply('auth.token', { value: {} }).headers['cache-control']).toBe('no-store')
    expect(reply('serviceAccounts.create', { value: { id: 'S' } }).headers['cache-control']).toBe('no-store')
  })

  it('that everyone may read can be cached for five minutes', () => {
    expect(reply('auth.keys', { value: { keys: [] } }).headers['cache-control']).toBe('public, max-age=300')
  })
})

describe('an error', () => {
  it.each(Object.keys(errorTable) as ErrorCode[])('%s reaches the caller as it was', (code) => {
    const more = {
      issues: [{ path: 'a', message: 'b' }],
      conflicts: [{ path: 'a', base: 1, yours: 2, theirs: null }],
      details: { x: 1 },
    }
    const error = new QuireError(code, 'because', more)
    expect(() => receive('items.update', reply('items.update', error))).toThrow(
      expect.objectContaining({
        ...more,
        code,
        status: error.status,
        message: 'because',
        requestId: 'REQ_1',
      }),
    )
  })

  it('of the token endpoint has the body of the specification', () => {
    const sent = reply('auth.token', new TokenError(401, 'invalid_client'))
    expect(sent).toMatchObject({ status: 401, body: '{"error":"invalid_client"}' })
    expect(sent.headers).toMatchObject({
      'www-authenticate': 'Basic realm="quire"',
      'cache-control': 'no-store',
    })
    expect(() => receive('auth.token', sent)).toThrow(new TokenError(401, 'invalid_client'))
  })

  it('of the token endpoint says how many seconds to wait', () => {
    const sent = reply('auth.token', new TokenError(429, 'too_many_requests', { retryAfter: 59.2 }))
    expect(sent.headers['retry-after']).toBe('60')
    expect(() => receive('auth.token', sent)).toThrow(expect.objectContaining({ retryAfter: 60 }))
  })

  it('of the token endpoint has that body for an unreadable request too, unless the service failed', () => {
    const issues = [{ path: 'client_id', message: 'is too long' }]
    const invalid = reply('auth.token', new QuireError('invalid', undefined, { issues }))
    expect(invalid).toMatchObject({
      status: 400,
      body: '{"error":"invalid_request","error_description":"client_id must be sent once, as a short text."}',
    })
    expect(() => receive('auth.token', invalid)).toThrow(new TokenError(400, 'invalid_request'))
    const failed = reply('auth.token', new QuireError('internal'))
    expect(() => receive('auth.token', failed)).toThrow(expect.objectContaining({ code: 'internal' }))
  })

  it('of a workflow event has the members of its answer when the package is merged', () => {
    const merged = reply('workflow.event', new QuireError('package_merged'))
    expect([merged.status, JSON.parse(merged.body ?? '')]).toMatchObject([
      409,
      { success: false, error: expect.any(String), code: 'package_merged', workflowInfo: null },
    ])
    expect(() => receive('workflow.event', merged)).toThrow(
      expect.objectContaining({ code: 'package_merged' }),
    )
  })

  it('says how to authenticate', () => {
    expect(reply('items.get', new QuireError('unauthorized')).headers['www-authenticate']).toBe(
      'Bearer realm="quire"',
    )
  })

  it.each([
    ['too_many_requests', { retryAfter: 30 }, '30'],
    ['unavailable', { retryAfter: 0.5 }, '1'],
    ['unavailable', {}, '1'],
    ['not_found', {}, undefined],
  ] as const)('%s with %j waits %s', (code, details, seconds) => {
    expect(reply('items.get', new QuireError(code, undefined, { details })).headers['retry-after']).toBe(
      seconds,
    )
  })
})

describe('a response that is not from Quire', () => {
  const receiveForeign = (status: number, text: string) => () =>
    decodeResponse(find('items', 'get').endpoint, {
      status,
      header: (name) => ({ 'content-type': 'text/html', 'x-request-id': 'proxy-1' })[name] ?? null,
      text,
    })

  it.each([
    [200, '<html>', 'internal'],
    [400, '<html>', 'invalid'],
    [401, '', 'unauthorized'],
    [404, '{"message":"no"}', 'not_found'],
    [409, '[]', 'invalid_state'],
    [413, '<html>', 'too_large'],
    [418, '', 'invalid'],
    [429, '{"error":"slow down"}', 'too_many_requests'],
    [500, 'null', 'internal'],
    [502, '<html>', 'unavailable'],
    [503, '<html>', 'unavailable'],
    [504, '', 'unavailable'],
    [599, '', 'internal'],
  ])('with status %i and body %j becomes %s', (status, text, code) => {
    expect(receiveForeign(status, text)).toThrow(
      expect.objectContaining({
        code,
        requestId: 'proxy-1',
        details: { status, contentType: 'text/html' },
        message: `GET /api/items/{configId}/{id} was answered with ${status} by something that is not Quire: check baseUrl.`,
      }),
    )
  })
})
