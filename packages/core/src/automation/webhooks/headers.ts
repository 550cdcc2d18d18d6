import type { Json, JsonObject } from '../../ports/index.ts'
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
  const isInUse = ofTheRequest.has(lower) || families.some((family) => lower.startsWith(family))
  return isInUse ? `"${name}" is set by the delivery itself` : null
}

/**
 * The custom headers of a delivery (specification 6.3.5). What an item holds never keeps a delivery from going out: a value that is not visible
 * ASCII and spaces goes percent-encoded as UTF-8, one that is too long does not go, and `webhook-encoded`, `webhook-omitted` name the headers
 * of which that is so. Errors: UnsendableDelivery `invalid header` for a name that is not for a webhook to set.
 */
export function customHeaders(headers: OutgoingWebhook['headers'], data: JsonObject): Header[] {
  const sent: Header[] = []
  const encoded: string[] = []
  const omitted: string[] = []
  for (const { name, value } of headers) {
    if (headerProblem(name) !== null) throw invalidHeader(name, 'is not for a webhook to set')
    const text = headerValue(value, data)
    const sendable = isVisible(text) ? text : percentEncoded(text)
    if (sendable.length > longestValue) {
      omitted.push(name)
      continue
    }
    sent.push([name, sendable])
    if (sendable !== text) encoded.push(name)
  }
  return [...sent, ...marked('webhook-encoded', encoded), ...marked('webhook-omitted', omitted)]
}

function marked(header: string, names: readonly string[]): Header[] {
  return names.length === 0 ? [] : [[header, names.join(', ')]]
}

/** The text, number, true or false that a value leads to in the data, as a text; the value itself where it leads to nothing, null, a list or an object. */
export function headerValue(value: string, data: JsonObject): string {
  const found = lookUp(data, value)
  return isScalar(found) ? String(found) : value
}

function isScalar(value: Json | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function isVisible(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value)
}

/** As `decodeURIComponent` reads it. What is half a character of UTF-16 is none. */
function percentEncoded(value: string): string {
  return value.length > longestValue ? value : encodeURIComponent(value.toWellFormed())
}

function invalidHeader(name: string, why: string): UnsendableDelivery {
  return new UnsendableDelivery('invalid header', `"${name}" ${why}`)
}
