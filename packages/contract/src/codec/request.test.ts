import { describe, expect, it } from 'vitest'
import { items } from '../content/items/endpoints.ts'
import { assets } from '../files/assets/endpoints.ts'
import { auth } from '../people/auth/endpoints.ts'
import { QuireError, type Issue } from '../errors.ts'
import { limits } from '../limits.ts'
import { roles } from '../people/security/endpoints.ts'
import { workflow } from '../automation/workflow/endpoints.ts'
import { decodeBody, decodeCallOptions, decodeConditions, decodeInput, parseQuery } from './index.ts'
import { encodeRequest } from './whole.ts'

const item = { configId: 'magazine', id: 'CONT_1' }

/** The issues of a QuireError `invalid`, as `path: message`. */
function issuesOf(work: () => unknown): string[] {
  try {
    work()
  } catch (error) {
    if (error instanceof QuireError && error.code === 'invalid') {
      const issues: Issue[] = error.issues ?? [{ path: '?', message: error.message }]
      return issues.map((issue) => `${issue.path}: ${issue.message}`)
    }
    throw error
  }
  return []
}

function listInput(query: string): unknown {
  return decodeInput(items.list, { params: { configId: 'magazine' }, query: parseQuery(query) })
}

describe('a request', () => {
  it('has the members that the path names in the path, and the others in the query string of a GET', () => {
    const input = {
      configId: 'a b',
      filter: { 'fields.price': { gte: 10 }, status: 'x' },
      select: ['id', 'a,b'],
      limit: 5,
    }
    expect(encodeRequest(items.list, input)).toEqual({
      method: 'GET',
      path:
        '/api/items/a%20b?filter%5Bfields.price%5D%5Bgte%5D=10&filter%5Bstatus%5D=x' +
        '&select=id%2Ca%5C%2Cb&limit=5',
      headers: {},
    })
  })

  it('goes to the branch of the package that the input names', () => {
    const request = encodeRequest(items.publish, { ...item, packageName: 'autumn/1' })
    expect(request.path).toBe('/api/items/magazine/_package/autumn%2F1/CONT_1/publish')
  })

  it('keeps packageName in the body if no path contains it', () => {
    const request = encodeRequest(items.create, { repositoryId: 'magazine', packageName: 'autumn' })
    expect(request.path).toBe('/api/items')
    expect(request.body).toBe('{"repositoryId":"magazine","packageName":"autumn"}')
  })

  it('has no body if no member is left for it', () => {
    expect(encodeRequest(items.publish, { ...item, dryRun: undefined })).toEqual({
      method: 'POST',
      path: '/api/items/magazine/CONT_1/publish',
      headers: {},
    })
  })

  it('has a form as body if the route says so', () => {
    const request = encodeRequest(auth.token, { grant_type: 'client_credentials', client_secret: 'a&b c' })
    expect(request.headers).toEqual({ 'content-type': 'application/x-www-form-urlencoded' })
    expect(request.body).toBe('grant_type=client_credentials&client_secret=a%26b%20c')
  })

  it('has the options of the call in headers', () => {
    const options = { ifMatch: 'r7', idempotencyKey: 'k 1', requestId: 'mine', program: 'writer/1.2' }
    expect(encodeRequest(items.publish, item, options).headers).toEqual({
      'if-match': '"r7"',
      'idempotency-key': 'k 1',
      'x-request-id': 'mine',
      'quire-program': 'writer/1.2',
    })
  })

  it.each([
    ['an absent id', { configId: 'm' }, 'id: is required'],
    ['an empty id', { configId: 'm', id: '' }, 'id: cannot be "": it is part of the path'],
    ['a step up the path', { configId: '..', id: 'x' }, 'configId: cannot be "..": it is part of the path'],
    ['null in the path', { configId: 'm', id: null }, 'id: must be text, a finite number or a boolean'],
    ['a list of lists', { ...item, select: [['a']] }, 'select: must be text, a finite number or a boolean'],
    [
      'a number that is not finite',
      { ...item, at: Number.NaN },
      'at: must be text, a finite number or a boolean',
    ],
    ['half a character', { ...item, version: '\ud800' }, ': A URL cannot have half a surrogate pair.'],
    ['a value that is not an object', 'CONT_1', ': The input must be an object.'],
  ])('is rejected before it is sent for %s', (_, input, issue) => {
    expect(issuesOf(() => encodeRequest(items.get, input))).toEqual([issue])
  })

  it.each([
    ['NaN, which would remove a value', { price: Number.NaN }, 'price: must be a finite number'],
    ['a gap in a list', { tags: ['a', undefined] }, '1: is a gap in a list'],
  ])('is rejected before it is sent for %s', (_, fields, issue) => {
    expect(issuesOf(() => encodeRequest(items.update, { ...item, fields }))).toEqual([issue])
  })

  it('is rejected before it is sent for a value that contains itself', () => {
    const fields: Record<string, unknown> = {}
    fields['self'] = fields
    expect(issuesOf(() => encodeRequest(items.update, { ...item, fields }))[0]).toContain(
      'cannot be sent as JSON',
    )
  })

  it('is rejected for an option that a header cannot contain', () => {
    expect(issuesOf(() => encodeRequest(items.publish, item, { idempotencyKey: 'a\nb' }))).toEqual([
      'idempotencyKey: must be printable ASCII',
    ])
  })
})

describe('a query string', () => {
  it('is read as URLSearchParams reads it', () => {
    expect(parseQuery('?a=1+2&b&c=%C3%A9&&=x')).toEqual({ a: '1 2', b: '', c: 'é', '': 'x' })
  })

  it('has objects in brackets, encoded or not', () => {
    expect(parseQuery('filter[status]=draft&filter%5Ba%5D%5Bin%5D=x,y')).toEqual({
      filter: { status: 'draft', a: { in: 'x,y' } },
    })
  })

  it('treats malformed brackets as part of a name', () => {
    expect(parseQuery('a[b=1&[c]=2&d]=3&e[f]g=4')).toEqual({
      'a[b': '1',
      '[c]': '2',
      'd]': '3',
      'e[f]g': '4',
    })
  })

  it('has the texts of a repeated name as a list', () => {
    expect(parseQuery('limit=1&limit=2&limit=3')).toEqual({ limit: ['1', '2', '3'] })
  })

  it('has at most 1000 pairs', () => {
    expect(parseQuery('a&'.repeat(999))).toEqual({ a: Array.from({ length: 999 }, () => '') })
    const message = ': A query string or form can have at most 1000 pairs.'
    expect(issuesOf(() => parseQuery('a&'.repeat(1001)))).toEqual([message])
  })

  it.each([
    ['a=%', 'a: is not well-formed: `%` begins two hexadecimal digits of UTF-8 text'],
    ['filter[a]=%ff', 'filter.a: is not well-formed: `%` begins two hexadecimal digits of UTF-8 text'],
    ['%zz=1', '%zz: is not well-formed: `%` begins two hexadecimal digits of UTF-8 text'],
    ['a[b][c][d][e]=1', 'a.b.c.d.e: has more than 3 names in brackets'],
    ['a=1&a[b]=2', 'a.b: is given as a value and as an object'],
    ['a[b]=2&a=1', 'a: is given as a value and as an object'],
    ['select[]=id', 'select: write a list with commas: name=a,b'],
    ['__proto__=1', '__proto__: is not a known member'],
    ['filter[__proto__][eq]=1', 'filter.__proto__.eq: is not a known member'],
  ])('%s is rejected by name', (query, issue) => {
    expect(issuesOf(() => parseQuery(query))).toEqual([issue])
  })

  it('pollutes no prototype', () => {
    parseQuery('constructor[prototype][polluted]=1&prototype[polluted]=1')
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('a decoded input', () => {
  it('has numbers, booleans and lists where the schema expects them', () => {
    expect(listInput('limit=10&skipCount=true&select=id,a%5C,b&filter[x][in]=1,2&filter[y]=1')).toEqual({
      configId: 'magazine',
      limit: 10,
      skipCount: true,
      select: ['id', 'a,b'],
      filter: { x: { in: ['1', '2'] }, y: '1' },
    })
  })

  it.each(['+1', '1e2', ' 1', '1 ', '0x10', '1.', '.5', '', 'Infinity', '9007199254740993', '１'])(
    'does not treat %j as a number',
    (text) => {
      expect(listInput(`limit=${encodeURIComponent(text)}`)).toMatchObject({ limit: text })
      expect(items.list.input.safeParse(listInput(`limit=${encodeURIComponent(text)}`)).success).toBe(false)
    },
  )

  it.each(['1', 'TRUE', 'yes', ''])('does not treat %j as a boolean', (text) => {
    expect(items.list.input.safeParse(listInput(`skipCount=${text}`)).success).toBe(false)
  })

  it('is rejected when a name with a single value is repeated', () => {
    expect(items.list.input.safeParse(listInput('limit=1&limit=2')).success).toBe(false)
  })

  it('has one list where the name of a list is repeated', () => {
    expect(listInput('select=id&select=name,slug')).toMatchObject({ select: ['id', 'name', 'slug'] })
  })

  it('keeps unknown names, so that the schema can name them', () => {
    const parsed = items.list.input.safeParse(listInput('limt=5&constructor=1'))
    expect(parsed.error?.issues[0]).toMatchObject({
      code: 'unrecognized_keys',
      keys: ['limt', 'constructor'],
    })
  })

  it('keeps an unknown operator next to a known one', () => {
    const parsed = items.list.input.safeParse(listInput('filter[x][in]=1&filter[x][like]=2'))
    expect(JSON.stringify(parsed.error?.issues)).toContain('like')
  })

  it('accepts a member in the query string of a POST', () => {
    const query = parseQuery('dryRun=true')
    expect(decodeInput(items.publish, { params: item, query })).toEqual({ ...item, dryRun: true })
  })

  it('converts a form as its schema expects', () => {
    const body = decodeBody(auth.token, 'grant_type=client_credentials&client_id=a+b')
    expect(decodeInput(auth.token, { params: {}, query: {}, body })).toEqual({
      grant_type: 'client_credentials',
      client_id: 'a b',
    })
  })

  it.each([[[]], [null], ['text'], [1]])('rejects the body %j, which is not an object', (body) => {
    expect(issuesOf(() => decodeInput(roles.create, { params: {}, query: {}, body }))).toEqual([
      ': The body must be an object.',
    ])
  })

  it.each([
    ['the path and the body', {}, { id: 'CONT_2' }],
    ['the path and the query string', { id: 'CONT_2' }, undefined],
  ])('rejects a member that is in %s', (_, query, body) => {
    expect(issuesOf(() => decodeInput(items.update, { params: item, query, body }))).toEqual([
      'id: is given more than once: in the path, the query string or the body',
    ])
  })

  it('rejects a member that is in the query string and the body', () => {
    const parts = { params: item, query: { dryRun: 'true' }, body: { dryRun: false } }
    expect(issuesOf(() => decodeInput(items.publish, parts))).toEqual([
      'dryRun: is given more than once: in the path, the query string or the body',
    ])
  })

  it('ignores a name from the router that no path contains', () => {
    expect(decodeInput(items.get, { params: { ...item, '*': 'rest' }, query: {} })).toEqual(item)
  })
})

describe('a signed request', () => {
  const given = { workflowInstanceId: 'one', status: 'active' }
  const sent: Readonly<Record<string, string>> = { 'x-api-key': 'key', 'x-webhook-signature': 'signature' }
  const received = (query: string, body?: object) =>
    decodeInput(workflow.status, {
      params: {},
      query: parseQuery(query),
      body,
      header: (name) => sent[name],
    })

  it('has its credentials in headers and everything else in its body', () => {
    expect(received('', given)).toEqual({ apiKey: 'key', signature: 'signature', ...given })
    expect(received('')).toEqual({ apiKey: 'key', signature: 'signature' })
  })

  it.each(['apiKey', 'signature', 'nextActionUrl', 'comment', 'unknown'])(
    'is rejected with %s in the query string, which is logged and not signed',
    (name) => {
      const issue = `${name}: cannot be in the query string: only the body is signed`
      expect(issuesOf(() => received(`${name}=x`, given))).toEqual([issue])
      expect(issuesOf(() => received(`${name}=x`))).toEqual([issue])
    },
  )

  it.each([
    ['apiKey', 'x-api-key'],
    ['signature', 'x-webhook-signature'],
  ])('is rejected with %s in the body', (name, header) => {
    expect(issuesOf(() => received('', { ...given, [name]: 'x' }))).toEqual([
      `${name}: cannot be in the body: send it as the header ${header}`,
    ])
  })
})

describe('a body', () => {
  it('is undefined if it is empty', () => {
    expect(decodeBody(roles.create, '')).toBeUndefined()
  })

  it.each(['{', 'name=x', '{"a":1}}'])('%s is rejected, because it is not JSON', (text) => {
    expect(issuesOf(() => decodeBody(roles.create, text))).toEqual([': is not JSON'])
  })

  it.each(['{"a":[{"__proto__":{}}]}', '{"a":[{"\\u005f_proto__":{}}]}'])(
    '%s is rejected by name',
    (text) => {
      expect(issuesOf(() => decodeBody(roles.create, text))).toEqual(['a.0.__proto__: is not a known member'])
    },
  )

  it.each([
    ['lists', `[${'['.repeat(limits.jsonValues - 1000)}"__proto__"${']'.repeat(limits.jsonValues - 1000)}]`],
    ['objects', `${'{"\\u0061":'.repeat(limits.jsonValues - 1000)}1${'}'.repeat(limits.jsonValues - 1000)}`],
  ])('of %s nested deeper than any stack is parsed, and left to the limit on depth', (_, text) => {
    expect(() => decodeBody(roles.create, text)).not.toThrow()
  })

  it.each([
    ['members', `{${Array.from({ length: limits.jsonValues + 1 }, (_, at) => `"${at}":1`).join()},"a":1}`],
    ['entries', `[${'0,'.repeat(limits.jsonValues + 1)}0]`],
    ['lists in lists', `${'['.repeat(limits.jsonValues + 1)}${']'.repeat(limits.jsonValues + 1)}`],
    [
      'members after a text that ends in backslashes',
      `{"a":"\\\\","b":[${'0,'.repeat(limits.jsonValues + 1)}0]}`,
    ],
  ])('of too many %s is rejected before it is parsed', (_, text) => {
    const message = ': A body can have at most 25000 values: split the request.'
    expect(issuesOf(() => decodeBody(roles.create, text))).toEqual([message])
  })

  it('can have any characters in its texts', () => {
    const name = ',[{\\"'.repeat(100_000)
    expect(decodeBody(roles.create, JSON.stringify({ name }))).toEqual({ name })
  })

  it('can mention __proto__ in a value', () => {
    expect(decodeBody(roles.create, '{"name":"__proto__"}')).toEqual({ name: '__proto__' })
  })
})

describe('the headers of a call', () => {
  const decode = (headers: Record<string, string>) => decodeCallOptions((name) => headers[name])

  it('survive the round trip', () => {
    const options = { ifMatch: 'r7', idempotencyKey: 'k', requestId: 'a-1', program: 'writer/1.2 (beta)' }
    expect(decode(encodeRequest(items.publish, item, options).headers as Record<string, string>)).toEqual(
      options,
    )
  })

  it('have no condition with If-Match: *', () => {
    expect(decode({ 'if-match': '*' })).toEqual({})
  })

  it('keep a weak tag weak, so that it matches nothing', () => {
    expect(decode({ 'if-match': 'W/"r7"' })).toEqual({ ifMatch: 'W/"r7"' })
  })

  it('can have a list of entity tags in quotes', () => {
    expect(decode({ 'if-match': ' "a", W/"b,c","d" ' })).toEqual({ ifMatch: '"a", W/"b,c","d"' })
    expect(issuesOf(() => decode({ 'if-match': 'a, b' }))).toEqual([
      '?: If-Match must contain entity tags in quotes, separated by commas.',
    ])
  })

  it.each(['a b', 'a\u001bb', 'x'.repeat(129), 'a:b', ''])(
    'drop the request id %j, which is not safe in a log',
    (id) => {
      expect(decode({ 'x-request-id': id })).toEqual({})
    },
  )

  it.each(['', ' ', ' a', 'a ', 'a\tb', 'a\u001b[1mb', 'caf\u00e9', 'a\nb', 'a\n', 'x'.repeat(201)])(
    'leave out the program %j, which is not safe in the journal',
    (program) => {
      expect(decode({ 'quire-program': program })).toEqual({})
      expect(decodeConditions(items.get, (name) => ({ 'quire-program': program })[name])).toEqual({})
    },
  )

  it('name the program of a read too', () => {
    const header = (name: string) => (name === 'quire-program' ? 'writer/1.2' : undefined)
    for (const endpoint of [items.get, assets.get])
      expect(decodeConditions(endpoint, header)).toEqual({ program: 'writer/1.2' })
  })
})

describe('an object in a query string', () => {
  const filter = { 'fields.price': { gte: 10 }, status: 'published', isPublished: true }

  it('may be one JSON text, as generated clients send it', () => {
    const query = new URLSearchParams({ filter: JSON.stringify(filter) })
    expect(listInput(String(query))).toEqual({ configId: 'magazine', filter })
  })

  it.each(['{', '{"a":', '[1]', '"a"', 'null', '{"__proto__":{"eq":1}}', '{"a":{"__proto__":1}}'])(
    'is refused if the text means no object, or one with __proto__: %s',
    (text) => {
      const refused = () => listInput(`filter=${encodeURIComponent(text)}`)
      const [issue = ''] = issuesOf(() => {
        const parsed = items.list.input.safeParse(refused())
        if (!parsed.success)
          throw new QuireError('invalid', '', { issues: [{ path: 'filter', message: '' }] })
      })
      expect(issue).not.toBe('')
    },
  )
})
