import type { Webhook } from '@quire/contract'
import { lookUp } from './template.ts'
import { base64Of } from '../../adapters/base64.ts'
import type { JsonObject, Json } from '../../ports/index.ts'

/** A webhook as a delivery needs it, its secrets open: the values of its headers, and what it signs with. */
export interface OutgoingWebhook extends Readonly<
  Pick<
    Webhook,
    | 'id'
    | 'repositoryId'
    | 'name'
    | 'enabled'
    | 'url'
    | 'events'
    | 'types'
    | 'payloadSize'
    | 'template'
    | 'headers'
    | 'mapping'
    | 'includeText'
  >
> {
  /** `whsec_` and 24 to 64 bytes in base64; null: deliveries are not signed. */
  readonly secret: string | null
}

/**
 * What payloads and templates see of a webhook (specification 6.4): these members and no others, so that what is added to it later is not
 * sent. Of headers the names alone; neither secret nor template, in which a token may stand; and no url: specification 2.16 does not
 * count it among the members, its query and often its path are a secret, and who is sent the body knows it (TRUST S25).
 */
export function serializeOutgoing(webhook: OutgoingWebhook): JsonObject {
  const { id, repositoryId, name, enabled, events, types, payloadSize, mapping, includeText } = webhook
  const headers = webhook.headers.map((header) => ({ name: header.name }))
  return { id, repositoryId, name, enabled, events, types, payloadSize, headers, mapping, includeText }
}

/** Why an event cannot be sent to a webhook. */
type DeliveryProblem = 'too large' | 'invalid header'

/** A delivery that cannot be sent, however often it is tried. The message is for the log of deliveries: it begins with the problem and holds no value. */
export class UnsendableDelivery extends Error {
  override readonly name = 'UnsendableDelivery'
  readonly problem: DeliveryProblem
  constructor(problem: DeliveryProblem, message: string) {
    super(`${problem}: ${message}`)
    this.problem = problem
  }
}

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

const prefix = 'whsec_'
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

// Bytes (Standard Webhooks, "Signature scheme": 192 to 512 bits).
const [shortestKey, longestKey] = [24, 64]

/** Why a secret cannot sign deliveries; null: it can. One spelling for each key, since not every receiver reads another. */
export function secretProblem(secret: string): string | null {
  const problem = 'must be `whsec_` and 24 to 64 bytes in base64'
  const text = secret.slice(prefix.length)
  if (!secret.startsWith(prefix) || !base64.test(text)) return problem
  const key = atob(text)
  const isOfLength = key.length >= shortestKey && key.length <= longestKey
  return isOfLength && btoa(key) === text ? null : problem
}

/** What a signature stands for. */
interface Signed {
  readonly id: string
  /** Unix seconds, as `webhook-timestamp` has them. */
  readonly timestamp: string
  /** As it is sent; empty where there is none. */
  readonly body: string
}

/** The `webhook-signature` of a delivery (Standard Webhooks): `v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64. */
export async function signature(secret: string, { id, timestamp, body }: Signed): Promise<string> {
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', keyOf(secret), hash, false, ['sign'])
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
  return `v1,${base64Of(mac)}`
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(secret.slice(prefix.length)), (character) => character.charCodeAt(0))
}
