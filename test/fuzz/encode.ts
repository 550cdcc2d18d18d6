import type { Draft, DraftForm } from './draft.ts'
import { toJson } from './json-text.ts'
import { dataPart, filePart, formOf, formType } from './multipart.ts'
import type { Random } from './random.ts'

/** A request as sent over the wire. */
export interface WireRequest {
  /** `items.create`, or `malformed`. */
  readonly operation: string
  readonly method: string
  readonly bytes: Buffer
  /** False: the request is truncated or never ends, so no answer is expected. */
  readonly isAnswered: boolean
  /** No other request should use its connection. */
  readonly isLast: boolean
  /** The Content-Type or Accept header does not fit the operation, so any 4xx is fine. */
  readonly isMalformed: boolean
}

/** Encodes a draft. Nothing is corrected: mutations are sent as they are. */
export function encode(draft: Draft, operation: string, random: Random): WireRequest {
  const body = bodyOf(draft)
  const isChunked = draft.headers.get('transfer-encoding') === 'chunked'
  const headers = new Map([['host', '127.0.0.1']])
  if (body) headers.set('content-type', types[draft.form](draft))
  if (body && !isChunked) headers.set('content-length', String(body.length))
  for (const [name, value] of draft.headers) headers.set(name, value)
  if (body) announceLength(headers, draft, body.length)
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
  const target = `${pathOf(draft, random)}${queryOf(draft, random)}`
  const head = Buffer.from(`${draft.method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const sent = isChunked ? chunked(body ?? Buffer.alloc(0)) : (body ?? Buffer.alloc(0))
  return {
    operation,
    method: draft.method,
    bytes: Buffer.concat([head, sent]),
    isAnswered: draft.isLeft !== true && draft.givenLength !== 'more',
    isLast: endings.includes(headers.get('connection') ?? ''),
    isMalformed: false,
  }
}

// After a request to upgrade the protocol, Node 24 does not answer unparsable requests on the same
// connection.
const endings = ['close', 'upgrade']

function announceLength(headers: Map<string, string>, { givenLength }: Draft, length: number): void {
  if (givenLength === undefined) return
  headers.set('content-length', String(givenLength === 'more' ? length + 1000 : Math.floor(length / 2)))
  // The other half looks like a second request, whose answer nobody waits for.
  if (givenLength === 'half') headers.set('connection', 'close')
}

const types: Readonly<Record<DraftForm, (draft: Draft) => string>> = {
  json: () => 'application/json',
  form: () => 'application/x-www-form-urlencoded',
  multipart: () => formType,
  file: ({ file }) => headerText(file?.type || 'application/octet-stream'),
  tus: () => 'application/offset+octet-stream',
}

/** Removes the characters that Node itself rejects in a header; they would not test the service. */
function headerText(text: string): string {
  return text.replaceAll(/[\r\n\0]/g, ' ')
}

function bodyOf(draft: Draft): Buffer | undefined {
  if (draft.rawBody) return draft.rawBody
  const { form, file, body } = draft
  if (form === 'file' || form === 'tus') return file?.bytes
  if (form === 'multipart') return multipartOf(draft)
  if (body === undefined) return undefined
  return Buffer.from(form === 'form' ? pairsOf(body) : toJson(body))
}

function multipartOf({ body, file }: Draft): Buffer {
  const data = body === undefined ? [] : [dataPart(toJson(body))]
  return formOf([...data, ...(file ? [filePart(file)] : [])])
}

function pairsOf(body: unknown): string {
  const pairs = Object.entries(body as object).map(
    ([name, value]) => `${escape(name)}=${escape(typeof value === 'string' ? value : toJson(value))}`,
  )
  return pairs.join('&')
}

function chunked(body: Buffer): Buffer {
  const size = Buffer.from(`${body.length.toString(16)}\r\n`)
  const end = Buffer.from('0\r\n\r\n')
  return body.length === 0 ? end : Buffer.concat([size, body, Buffer.from('\r\n'), end])
}

/** Percent-encodes any text, even lone surrogates (as CESU, which no decoder accepts). */
function escape(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : text.replaceAll(/[^]/g, (unit) => (unit.isWellFormed() ? encodeURIComponent(unit) : '%ED%A0%80'))
}

// Ways to write a hostile path parameter: properly, or in forms that proxies and routers interpret
// differently.
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
  return template.replaceAll(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    const spelt = spell(params.get(name) ?? '')
    return rest === '' ? spelt : spelt.replaceAll('%2F', '/')
  })
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
