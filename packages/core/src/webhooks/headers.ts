import type { Json, JsonObject } from '../ports/index.ts'
import { lookUp } from './dot-path.ts'
import { UnsendableDelivery, type OutgoingWebhook } from './outgoing.ts'

/** A header as it goes out. */
export type Header = readonly [name: string, value: string]

// RFC 9110 5.6.2: a token. 7.6.1: of the connection, not of the message; `expect` and `proxy…` speak to what is between (RFC 9110 10.1.1).
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const ofTheRequest: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])
const families = ['content-', 'proxy-', 'webhook-']

// Characters of a value. nginx and Apache take a field of 8 KiB, its name included: a longer one would be refused there.
const longestValue = 8000

/** Why a webhook cannot have a header of this name (TRUST S12); null: it can. */
export function headerProblem(name: string): string | null {
  if (!token.test(name)) return 'must be the name of a header'
  const lower = name.toLowerCase()
  const isTaken = ofTheRequest.has(lower) || families.some((family) => lower.startsWith(family))
  return isTaken ? `"${name}" is set by the delivery itself` : null
}

/**
 * The custom headers of a delivery (specification 6.3.5). Errors: UnsendableDelivery `invalid header` for a value that is not visible ASCII
 * and spaces, or too long: what an item holds must neither add a header nor be taken for another text.
 */
export function customHeaders(headers: OutgoingWebhook['headers'], data: JsonObject): Header[] {
  return headers.map(({ name, value }) => {
    if (headerProblem(name) !== null) throw invalidHeader(name, 'is not for a webhook to set')
    return [name, sendableValue(name, headerValue(value, data))]
  })
}

/** The text, number, true or false that a value leads to in the data, as a text; the value itself where it leads to nothing, null, a list or an object. */
export function headerValue(value: string, data: JsonObject): string {
  const found = lookUp(data, value)
  return isScalar(found) ? String(found) : value
}

function isScalar(value: Json | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function sendableValue(name: string, value: string): string {
  if (value.length > longestValue) throw invalidHeader(name, `is longer than ${longestValue} characters`)
  if (!/^[\x20-\x7e]*$/.test(value)) throw invalidHeader(name, 'holds what is not visible ASCII')
  return value
}

function invalidHeader(name: string, why: string): UnsendableDelivery {
  return new UnsendableDelivery('invalid header', `"${name}" ${why}`)
}
