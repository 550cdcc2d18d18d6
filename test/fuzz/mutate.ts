import type { Draft } from './draft.ts'
import { hostileText, hostileValue } from './hostile.ts'
import { JsonText, toJson } from './json-text.ts'
import type { Random } from './random.ts'

type Mutation = (draft: Draft, random: Random) => void

/** Spoils a request in one to three ways. */
export function mutate(draft: Draft, random: Random): void {
  const rounds = random.chance(0.7) ? 1 : 2 + random.below(2)
  for (let round = 0; round < rounds; round++) {
    const applicable = mutations.filter(([fits]) => fits(draft))
    random.pick(applicable)?.[1](draft, random)
  }
}

const always = () => true
const hasBody = ({ body }: Draft) => typeof body === 'object' && body !== null
const hasQuery = ({ query }: Draft) => query.length > 0
const hasParams = ({ params }: Draft) => params.size > 0

const mutations: readonly (readonly [fits: (draft: Draft) => boolean, mutation: Mutation])[] = [
  [hasBody, spoilBodyValue],
  [hasBody, spoilBodyValue],
  [hasBody, spoilBodyValue],
  [hasBody, addBodyMember],
  [hasBody, dropBodyMember],
  [hasBody, spoilBodyText],
  [hasParams, spoilParam],
  [hasParams, spoilParam],
  [hasQuery, spoilQueryValue],
  [hasQuery, spoilQueryValue],
  [hasQuery, repeatQuery],
  [always, addQuery],
  [always, spoilHeader],
  [always, changeMethod],
]

/** Replaces a value somewhere in the body. */
function spoilBodyValue(draft: Draft, random: Random): void {
  let place = draft.body as Record<string, unknown>
  for (let depth = 0; depth < 6; depth++) {
    const name = random.pick(Object.keys(place))
    if (name === undefined) return
    const inner = place[name]
    if (holdsMembers(inner) && random.chance(0.65)) {
      place = inner
      continue
    }
    place[name] = hostileValue(random)
    return
  }
}

function holdsMembers(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || value instanceof JsonText) return false
  return Object.keys(value).length > 0
}

function addBodyMember(draft: Draft, random: Random): void {
  const name = random.pick(['id', 'version', 'isAdmin', '', 'toString', hostileText(random)])
  draft.body = { ...(draft.body as object), [name]: hostileValue(random) }
}

function dropBodyMember(draft: Draft, random: Random): void {
  const entries = Object.entries(draft.body as object)
  const dropped = random.below(entries.length)
  draft.body = Object.fromEntries(entries.filter((_, index) => index !== dropped))
}

/** The text of the body, damaged as bytes. */
function spoilBodyText(draft: Draft, random: Random): void {
  const whole = toJson(draft.body)
  const half = whole.slice(0, random.below(whole.length))
  draft.rawBody = random.pick([
    Buffer.from(half),
    Buffer.from(`\u{feff}${whole}`),
    Buffer.from(`${whole}${whole}`),
    Buffer.from(`// no\n${whole}`),
    Buffer.from(whole.replaceAll('"', "'")),
    Buffer.concat([Buffer.from(whole), Buffer.from([0])]),
    Buffer.from(whole.replace(/[a-z]/, '\u{ff}'), 'latin1'),
    Buffer.from(whole, 'utf16le'),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from('null'),
    Buffer.from('[]'),
    Buffer.from('"text"'),
    Buffer.from('7'),
    Buffer.alloc(0),
    Buffer.from(' '),
    Buffer.from('a=b&c=%zz'),
    Buffer.from(`{"name":"${'x'.repeat(1_200_000)}"}`),
  ])
}

function spoilParam(draft: Draft, random: Random): void {
  const name = random.pick([...draft.params.keys()])
  if (name !== undefined) draft.params.set(name, hostileText(random).slice(0, 12_000))
}

function spoilQueryValue({ query }: Draft, random: Random): void {
  const pair = random.pick(query)
  if (!pair) return
  // Headers and request line together have 16 KiB.
  if (random.chance(0.7)) pair[1] = hostileText(random).slice(0, 9000)
  else
    pair[0] = random.pick([
      `${pair[0]}[`,
      `${pair[0]}]`,
      `${pair[0]}[]`,
      `${pair[0]}[a][b][c][d]`,
      '',
      '__proto__',
      '[x]',
    ])
}

function repeatQuery({ query }: Draft, random: Random): void {
  const pair = random.pick(query)
  if (pair) query.push([pair[0], random.chance(0.5) ? pair[1] : hostileText(random).slice(0, 500)])
}

const queryNames = [
  'limit',
  'offset',
  'cursor',
  'sort',
  'filter',
  'filter[name]',
  'select',
  'include',
  'text',
  'at',
  'id',
  'x',
  'dryRun',
]

function addQuery({ query }: Draft, random: Random): void {
  query.push([random.pick(queryNames) ?? '', hostileText(random).slice(0, 3000)])
}

const headers: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['if-match', ['*', '"x"', 'W/"1"', '"a", "b"', '""', '"', ',', '"\u{ff}"']],
  ['if-none-match', ['*', '"x"', '"a", W/"b"', ',,,', '"']],
  ['idempotency-key', ['', ' ', 'x'.repeat(255), 'x'.repeat(256), '\u{e4}', '"', "' OR 1=1"]],
  ['accept', ['*/*', 'text/html', 'application/xml;q=0', ';;;', 'application/json;version=99']],
  ['accept-encoding', ['gzip', 'identity;q=0', 'x'.repeat(500)]],
  [
    'content-type',
    [
      '',
      'text/plain',
      'application/json; charset=utf-16',
      'application/JSON',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/json/x',
      '\u{ff}',
    ],
  ],
  ['content-encoding', ['gzip', 'br', 'identity']],
  [
    'authorization',
    [
      '',
      'Bearer',
      'Bearer ',
      'Bearer x',
      'Bearer a.b.c',
      'Bearer e30.e30.',
      'Basic YTpi',
      'Basic %%%',
      'Digest x',
      `Bearer ${'x'.repeat(5000)}`,
    ],
  ],
  ['x-request-id', ['x', '../..', '<script>', 'x'.repeat(200), '\u{e9}']],
  ['x-forwarded-for', ['127.0.0.1', '1.1.1.1, 2.2.2.2', 'x'.repeat(300)]],
  ['x-http-method-override', ['DELETE']],
  ['expect', ['100-continue', 'nonsense']],
  ['range', ['bytes=0-1', 'bytes=-1', 'x']],
  ['cookie', ['a=b', ';;;', '__proto__=1']],
  ['transfer-encoding', ['chunked']],
  ['connection', ['close', 'upgrade']],
  ['upgrade', ['h2c']],
  ['host', ['', 'example.org:99999', 'a b']],
]

function spoilHeader(draft: Draft, random: Random): void {
  const [name, values] = random.pick(headers) ?? ['x', ['y']]
  draft.headers.set(name, random.pick(values) ?? '')
}

function changeMethod(draft: Draft, random: Random): void {
  // Seldom: what it teaches is soon known.
  if (!random.chance(0.4)) return
  draft.method = random.pick([
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
  ])
}
