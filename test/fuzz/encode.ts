import type { Draft } from './draft.ts'
import { toJson } from './json-text.ts'
import type { Random } from './random.ts'

/** A request as it goes over the wire. */
export interface WireRequest {
  /** `items.create`, or `malformed`. */
  readonly operation: string
  readonly method: string
  readonly bytes: Buffer
  /** False: it is cut off or never ends, so that no answer can be asked for. */
  readonly isAnswered: boolean
  /** The Content-Type or Accept is not what the operation takes: any 4xx will do. */
  readonly isMalformed: boolean
}

/** The bytes of a draft. Nothing is put right: what a mutation wrote goes out as it is. */
export function encode(draft: Draft, operation: string, random: Random): WireRequest {
  const body = bodyOf(draft)
  const isChunked = draft.headers.get('transfer-encoding') === 'chunked'
  const headers = new Map([['host', '127.0.0.1']])
  if (body)
    headers.set('content-type', draft.isForm ? 'application/x-www-form-urlencoded' : 'application/json')
  if (body && !isChunked) headers.set('content-length', String(body.length))
  for (const [name, value] of draft.headers) headers.set(name, value)
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
  const target = `${pathOf(draft, random)}${queryOf(draft, random)}`
  const head = Buffer.from(`${draft.method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const sent = isChunked ? chunked(body ?? Buffer.alloc(0)) : (body ?? Buffer.alloc(0))
  return {
    operation,
    method: draft.method,
    bytes: Buffer.concat([head, sent]),
    isAnswered: true,
    isMalformed: false,
  }
}

function bodyOf(draft: Draft): Buffer | undefined {
  if (draft.rawBody) return draft.rawBody
  if (draft.body === undefined) return undefined
  if (!draft.isForm) return Buffer.from(toJson(draft.body))
  const pairs = Object.entries(draft.body as object).map(
    ([name, value]) => `${escape(name)}=${escape(typeof value === 'string' ? value : toJson(value))}`,
  )
  return Buffer.from(pairs.join('&'))
}

function chunked(body: Buffer): Buffer {
  const size = Buffer.from(`${body.length.toString(16)}\r\n`)
  const end = Buffer.from('0\r\n\r\n')
  return body.length === 0 ? end : Buffer.concat([size, body, Buffer.from('\r\n'), end])
}

/** Percent-encoding that takes any text, half surrogates too (as CESU, which no decoder accepts). */
function escape(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : text.replaceAll(/[^]/g, (unit) => (unit.isWellFormed() ? encodeURIComponent(unit) : '%ED%A0%80'))
}

// How a hostile path member is written: properly, or in one of the ways that proxies and routers disagree about.
const spellings: readonly ((text: string) => string)[] = [
  escape,
  escape,
  escape,
  (text) => escape(text).replaceAll('.', '%2e'),
  (text) => escape(text).replaceAll('%2F', '/'),
  (text) => escape(escape(text)),
  (text) => `${escape(text)}%00`,
  (text) => `${escape(text)}%zz`,
  (text) => `%${escape(text)}`,
  (text) => `${escape(text)};a=b`,
  (text) => `${escape(text)}/`,
  (text) => `/${escape(text)}`,
]

function pathOf({ template, params }: Draft, random: Random): string {
  const spell = random.chance(0.03) ? (random.pick(spellings) ?? escape) : escape
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => spell(params.get(name) ?? ''))
}

function queryOf({ query }: Draft, random: Random): string {
  if (query.length === 0) return ''
  const text = `?${query.map(([name, value]) => `${escapeName(name)}=${escape(value)}`).join('&')}`
  if (random.chance(0.01)) return text.slice(0, 1 + random.below(text.length))
  return random.chance(0.01) ? `${text}${random.pick(['&', '&&=', '#x', '&%', '%E0%A4', '&a=%00'])}` : text
}

function escapeName(name: string): string {
  return escape(name).replaceAll('%5B', '[').replaceAll('%5D', ']')
}
