import { limits } from '@quire/contract'
import { contentAttacks } from './content-attacks.ts'

/** The sender of an attack. */
export type Attacker = 'anonymous' | 'nobody' | 'viewer' | 'contributor'

/** A request that is designed to cost the server much more than its sender. */
export interface Attack {
  readonly name: string
  readonly by: Attacker
  readonly method?: 'GET' | 'POST'
  /**
   * The path on the server. The public repository is `open`; names in braces refer to prepared
   * content.
   */
  readonly path: string
  readonly type?: typeof json | typeof form | 'application/x-ndjson' | 'text/csv'
  readonly body?: () => string
  /** The status of the answer, unless the request is rate-limited. */
  readonly status: number
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

const mebi = 1024 ** 2

/** A flat JSON object of a size, whose member names are unique. */
const flat = (bytes: number): string => {
  const names = Array.from(
    { length: Math.floor(bytes / 12) },
    (_, at) => `"n${String(at).padStart(6, '0')}":1`,
  )
  return `{${names.join()}}`
}

const distinct = Array.from({ length: 185_000 }, (_, at) => at.toString(36))
const distinctForm = (): string =>
  distinct
    .map((name) => `${name}=`)
    .join('&')
    .slice(0, mebi - 1)
const distinctJson = (): string =>
  `{${distinct
    .slice(0, 100_000)
    .map((name) => `"${name}":1`)
    .join()}}`
const fewEnough = (): string => flat(12 * (limits.jsonValues - 10))
const deep = (): string => `{"fields":${'['.repeat(2 * mebi)}${']'.repeat(2 * mebi)}}`
const wrongEntries = (): string =>
  `{"items":[${'0,'.repeat(limits.jsonValues - 10)}0],"ids":[${'0,'.repeat(2)}0]}`

/** One row per attack. Add one for every way in which a request could keep the server busy. */
export const attacks: readonly Attack[] = [
  {
    name: 'the same name 524 000 times in a form',
    by: 'anonymous',
    path: '/oauth2/token',
    type: form,
    body: () => 'a&'.repeat(524_000),
    status: 413,
  },
  {
    name: 'the same name 4 000 times in a small form',
    by: 'anonymous',
    path: '/oauth2/token',
    type: form,
    body: () => 'a&'.repeat(4_000),
    status: 400,
  },
  {
    name: 'the OpenAPI document',
    by: 'anonymous',
    method: 'GET',
    path: '/api-docs/openapi.json',
    status: 200,
  },
  {
    name: 'the largest script of the explorer',
    by: 'anonymous',
    method: 'GET',
    path: '/api-docs/graphiql/graphiql.js',
    status: 200,
  },
  {
    name: 'the same name 7 500 times in a query string',
    by: 'anonymous',
    method: 'GET',
    path: `/oauth2/jwks?${'a&'.repeat(7_500)}`,
    status: 400,
  },
  {
    name: 'distinct names in a form',
    by: 'anonymous',
    path: '/oauth2/token',
    type: form,
    body: distinctForm,
    status: 413,
  },
  {
    name: 'a MiB of flat JSON for the callback of workflows',
    by: 'anonymous',
    path: '/api/workflow/status',
    type: json,
    body: () => flat(mebi),
    status: 413,
  },
  {
    name: 'small flat JSON for the callback of workflows',
    by: 'anonymous',
    path: '/api/workflow/status',
    type: json,
    body: () => flat(250_000),
    status: 400,
  },
  {
    name: 'distinct names in JSON for a public GraphQL endpoint',
    by: 'anonymous',
    path: '/api/graphql/open',
    type: json,
    body: distinctJson,
    status: 413,
  },
  {
    name: '5 MiB of flat JSON',
    by: 'contributor',
    path: '/api/items',
    type: json,
    body: () => flat(5 * mebi - 100),
    status: 400,
  },
  {
    name: 'as many unknown members as a body may have',
    by: 'contributor',
    path: '/api/items',
    type: json,
    body: fewEnough,
    status: 400,
  },
  {
    name: 'as many wrong entries as a body may have',
    by: 'contributor',
    path: '/api/items/open/bulk',
    type: json,
    body: wrongEntries,
    status: 400,
  },
  { name: 'lists in lists', by: 'contributor', path: '/api/items', type: json, body: deep, status: 400 },
  {
    name: '5 MiB of flat JSON from an account that may only read',
    by: 'viewer',
    path: '/api/items',
    type: json,
    body: () => flat(5 * mebi - 100),
    status: 403,
  },
  {
    name: '5 MiB of flat JSON from an account without a role',
    by: 'nobody',
    path: '/api/items',
    type: json,
    body: () => flat(5 * mebi - 100),
    status: 403,
  },
  ...contentAttacks,
]
