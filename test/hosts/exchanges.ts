/** A request to a host, with paths below its base. */
export interface Exchange {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether it is sent without the token of the account. */
  readonly isAnonymous?: true
}

const json = { 'content-type': 'application/json' }
const upload = { 'tus-resumable': '1.0.0' }
const metadata = `repositoryId ${btoa('magazine')},name ${btoa('a.txt')}`

const get = (path: string, more: Partial<Exchange> = {}): Exchange => ({
  name: `GET ${path}${more.isAnonymous ? ', anonymous' : ''}${more.headers ? `, ${Object.keys(more.headers).join(' ')}` : ''}`,
  method: 'GET',
  path,
  ...more,
})

const write = (
  [method, path]: readonly [method: string, path: string],
  value: unknown,
  more: Partial<Exchange> = {},
): Exchange => ({
  name: `${method} ${path} ${JSON.stringify(value)?.slice(0, 60)}`,
  method,
  path,
  headers: json,
  body: JSON.stringify(value),
  ...more,
})

const article = (name: string, fields: object) => ({
  repositoryId: 'magazine',
  type: 'article',
  name,
  slug: name.toLowerCase(),
  fields,
})

/** A form with the parts `data` and `file`. */
const form = (parts: readonly string[]): Pick<Exchange, 'headers' | 'body'> => ({
  headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  body: `${parts.map((part) => `--edge\r\n${part}\r\n`).join('')}--edge--\r\n`,
})
const dataPart = (value: object) =>
  `Content-Disposition: form-data; name="data"\r\n\r\n${JSON.stringify(value)}`
const filePart =
  'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello'

/** Requests whose responses have cache tags if a host sends them, and some whose responses never have. */
export const taggedExchanges: readonly Exchange[] = [
  { ...write(['POST', '/api/items'], article('One', { title: 'One', price: 1 })), name: 'first' },
  { ...write(['POST', '/api/items/magazine/{first}/publish'], {}), name: 'publish' },
  { ...get('/api/published/items/magazine/slug/one', { isAnonymous: true }), name: 'item' },
  {
    ...get('/api/published/items/magazine/slug/one?fbclid=1', { isAnonymous: true }),
    name: 'item of an advert',
  },
  {
    ...get('/api/published/items/magazine/slug/one', {
      isAnonymous: true,
      headers: { 'if-none-match': '{etag:item}' },
    }),
    name: 'same item',
  },
  { ...get('/api/published/items/magazine?type=article', { isAnonymous: true }), name: 'list' },
  { ...get('/sites/ink/news/today/', { isAnonymous: true }), name: 'page' },
  { ...get('/sites/ink/news/today', { isAnonymous: true }), name: 'redirect' },
  { ...get('/api/published/items/magazine?text=one', { isAnonymous: true }), name: 'untagged search' },
  { ...get('/api/published/items/magazine/slug/one'), name: 'untagged item of an account' },
  { ...get('/api/published/items/magazine/slug/two', { isAnonymous: true }), name: 'untagged absence' },
  { ...get('/sites/ink/none/', { isAnonymous: true }), name: 'untagged absent page' },
]

const packages = '/api/content/management/packages/magazine'

/** A package whose name has slashes, and what has its name in the path. */
const slashedNames: readonly Exchange[] = [
  { ...write(['POST', packages], { name: 'agent/ä b/1' }), name: 'slashed package' },
  ...[
    'agent%2F%C3%A4%20b%2F1',
    'agent%2f%c3%a4%20b%2f1',

    'agent%252F%C3%A4%20b%252F1',
  ].map((name) => get(`${packages}/${name}`)),
  get(`${packages}/agent%2F%C3%A4%20b%2F1/changes`),
  get(`${packages}/agent%2F..%2Fagent`),
  get('/api/items/magazine/_package/agent%2F%C3%A4%20b%2F1'),
  {
    name: 'slashedFile',
    method: 'POST',
    path: '/api/assets/magazine/_package/agent%2F%C3%A4%20b%2F1',
    ...form([dataPart({ name: 'A' }), filePart]),
  },
  get('/api/assets/magazine/_package/agent%2F%C3%A4%20b%2F1/{slashedFile}/original'),
  write(['POST', packages], { name: 'agent/merge' }),
  write(['POST', `${packages}/agent%2F%C3%A4%20b%2F1/merge`], {}),
]

/**
 * Requests in this order, each of which every host answers with the same bytes. Names in braces in
 * a path stand for the id in the answer to the request of that name.
 */
export const exchanges: readonly Exchange[] = [
  // Reads and writes.
  { ...write(['POST', '/api/items'], article('One', { title: 'One', price: 1 })), name: 'first' },
  write(['POST', '/api/items'], article('Two', { title: 'Two', price: 2 }), {
    headers: { ...json, 'idempotency-key': 'two' },
  }),
  write(['POST', '/api/items'], article('Two', { title: 'Two', price: 2 }), {
    headers: { ...json, 'idempotency-key': 'two' },
  }),
  write(['POST', '/api/items'], article('Bad', { price: 'much' })),
  get('/api/items/magazine/{first}'),
  get('/api/items/magazine?limit=1&sort=name'),
  get(`/api/items/magazine?filter=${encodeURIComponent('{"fields.price":{"gte":2}}')}`),
  get('/api/items/magazine?fields.price[gte]=2&unknown=1'),
  get('/api/items/magazine/slug/one'),
  { name: 'HEAD of an item', method: 'HEAD', path: '/api/items/magazine/{first}' },
  write(
    ['PATCH', '/api/items/magazine/{first}'],
    { name: 'Uno' },
    { headers: { ...json, 'if-match': '{etag:first}' } },
  ),
  write(
    ['PATCH', '/api/items/magazine/{first}'],
    { name: 'Eins' },
    { headers: { ...json, 'if-match': '{etag:first}' } },
  ),
  write(['POST', '/api/items/magazine/{first}/publish'], {}),
  get('/api/published/items/magazine', { isAnonymous: true }),
  get('/api/published/items/magazine', { isAnonymous: true, headers: { origin: 'https://other.example' } }),
  get('/api/items/magazine/{first}', { headers: { 'if-none-match': '"2"' } }),
  {
    name: 'DELETE without a body',
    method: 'DELETE',
    path: '/api/items/magazine/{first}',
    headers: { 'if-match': '"9"' },
  },
  write(['POST', '/api/graphql/magazine'], { query: '{ __typename }' }),
  // Bodies.
  {
    name: 'JSON as text',
    method: 'POST',
    path: '/api/items',
    headers: { 'content-type': 'text/plain' },
    body: '{}',
  },
  { name: 'broken JSON', method: 'POST', path: '/api/items', headers: json, body: '{"a":' },
  {
    name: 'a body without a type',
    method: 'POST',
    path: '/api/items',
    headers: { 'content-type': '' },
    body: '{}',
  },
  { name: 'a POST without a body', method: 'POST', path: '/api/items' },
  write(['POST', '/api/items'], { pad: 'x'.repeat(6 * 1024 ** 2) }, { name: 'a body that is too large' }),
  write(['POST', '/oauth2/token'], { pad: 'x' }, { name: 'a token request as JSON', isAnonymous: true }),
  {
    name: 'a wrong secret',
    method: 'POST',
    path: '/oauth2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&client_id=SVCA_01JB2Q6C4E6G8J0M2P4R6T8V0X&client_secret=x',
    isAnonymous: true,
  },
  // Files.
  {
    name: 'file',
    method: 'POST',
    path: '/api/assets/magazine',
    ...form([dataPart({ name: 'A' }), filePart]),
  },
  {
    name: 'a form in the wrong order',
    method: 'POST',
    path: '/api/assets/magazine',
    ...form([filePart, dataPart({})]),
  },
  {
    name: 'a form that is cut',
    method: 'POST',
    path: '/api/assets/magazine',
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    body: '--edge\r\nContent-Disposition: form-data; name="data"',
  },
  get('/api/assets/magazine/{file}/original'),
  get('/api/assets/magazine/{file}/original', { headers: { range: 'bytes=1-3' } }),
  get('/api/assets/magazine/{file}/original', { headers: { range: 'bytes=9-' } }),
  { name: 'HEAD of a file', method: 'HEAD', path: '/api/assets/magazine/{file}/original' },
  { name: 'OPTIONS of uploads', method: 'OPTIONS', path: '/api/items/upload' },
  {
    name: 'upload',
    method: 'POST',
    path: '/api/items/upload',
    headers: { ...upload, 'upload-length': '5', 'upload-metadata': metadata },
  },
  {
    name: 'an upload of another version',
    method: 'POST',
    path: '/api/items/upload',
    headers: { 'tus-resumable': '9.9.9', 'upload-length': '5' },
  },
  {
    name: 'a part of an upload',
    method: 'PATCH',
    path: '{upload}',
    headers: { ...upload, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: 'he',
  },
  { name: 'HEAD of an upload', method: 'HEAD', path: '{upload}', headers: upload },
  { name: 'GET of an upload', method: 'GET', path: '{upload}', headers: upload },
  {
    name: 'the rest of an upload through POST',
    method: 'POST',
    path: '{upload}',
    headers: {
      ...upload,
      'x-http-method-override': 'PATCH',
      'upload-offset': '2',
      'content-type': 'application/offset+octet-stream',
    },
    body: 'llo',
  },
  { name: 'POST of an upload', method: 'POST', path: '{upload}', headers: upload },
  ...slashedNames,
  // Sites.
  get('/sites/ink/news/today/', { isAnonymous: true }),
  get('/sites/ink/news/today', { isAnonymous: true }),
  get('/sites/ink', { isAnonymous: true }),
  get('/sites/ink/nope/?fbclid=1', { isAnonymous: true, headers: { accept: 'text/html' } }),
  get('/sites/nowhere/', { isAnonymous: true, headers: { accept: 'text/html' } }),
  // Addresses.
  get('/api/items/magazine/'),
  { name: 'PUT of an item', method: 'PUT', path: '/api/items/magazine/{first}', headers: json, body: '{}' },
  { name: 'GET of the token endpoint', method: 'GET', path: '/oauth2/token', isAnonymous: true },
  // Callers.
  get('/api/items/magazine', { isAnonymous: true }),
  get('/api/user/me', { headers: { authorization: 'Bearer nonsense' } }),
  get('/api/user/me', { isAnonymous: true, headers: { cookie: 'token=nonsense' } }),
  write(
    ['POST', '/api/items'],
    {},
    {
      isAnonymous: true,
      headers: { ...json, cookie: 'token=x', origin: 'https://evil.example' },
      name: 'a write by cookie from another site',
    },
  ),
  get('/api/user/login', { isAnonymous: true, headers: { purpose: 'prefetch' } }),
  // Origins.
  ...['https://www.example.org', 'https://evil.example'].flatMap((origin): Exchange[] => [
    {
      name: `a preflight of ${origin}`,
      method: 'OPTIONS',
      path: '/api/items',
      isAnonymous: true,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    },
    get('/api/items/magazine', { headers: { origin } }),
  ]),
]

/** Addresses that a router refuses, which only a server of its own answers in the plugin's place. */
export const refusedAddresses: readonly Exchange[] = [
  get('/api/items/magazine/%zz'),
  get(`/api/items/magazine/slug/${'a'.repeat(600)}`, { name: 'a slug that is too long' }),
  get('/api/nowhere'),
  get('/api/nowhere', { isAnonymous: true }),
  get('/nowhere', { isAnonymous: true, headers: { accept: 'text/html,*/*;q=0.8' } }),
]
