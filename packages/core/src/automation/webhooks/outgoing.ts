import type { Webhook } from '@quire/contract'
import { lookUp } from './template.ts'
import { base64Of } from '../../adapters/base64.ts'
import type { JsonObject, Json } from '../../ports/index.ts'

/**
 * A webhook with its secrets unsealed (the header values and the signing secret), as a delivery
 * needs it.
 */
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
 * The webhook as payloads and templates see it (specification 6.4). Members are listed here, so
 * that a member added later is not sent by accident. Of headers, only the names are sent. The
 * secret and the template are not, because a template may contain a token. The URL is not either:
 * specification 2.16 does not list it among the members, its query and often its path are secret,
 * and the receiver of the body knows it anyway (TRUST S25).
 */
export function serializeOutgoing(webhook: OutgoingWebhook): JsonObject {
  const { id, repositoryId, name, enabled, events, types, payloadSize, mapping, includeText } = webhook
  const headers = webhook.headers.map((header) => ({ name: header.name }))
  return { id, repositoryId, name, enabled, events, types, payloadSize, headers, mapping, includeText }
}

type DeliveryProblem = 'too large' | 'invalid header'

/**
 * A delivery that cannot be sent, however often it is attempted. The message appears in the log of
 * deliveries: it begins with the problem and contains no values.
 */
export class UnsendableDelivery extends Error {
  override readonly name = 'UnsendableDelivery'
  readonly problem: DeliveryProblem
  constructor(problem: DeliveryProblem, message: string) {
    super(`${problem}: ${message}`)
    this.problem = problem
  }
}

export type Header = readonly [name: string, value: string]

// A token by RFC 9110 5.6.2.
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// Headers of the connection, not of the message (RFC 9110 7.6.1), or for intermediaries, such as
// `expect` (10.1.1) and `proxy`.
const reservedNames: ReadonlySet<string> = new Set([
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
const reservedPrefixes = ['content-', 'proxy-', 'webhook-']

// Characters of a value. nginx and Apache reject a header of more than 8 KiB, including its name.
const longestValue = 8000

/** Why a webhook cannot have a header of this name (TRUST S12); null if it can. */
export function headerProblem(name: string): string | null {
  if (!token.test(name)) return 'must be the name of a header'
  const lower = name.toLowerCase()
  const isReserved = reservedNames.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))
  return isReserved ? `"${name}" is set by the delivery itself` : null
}

/**
 * The custom headers of a delivery (specification 6.3.5). The content of an item never prevents a
 * delivery. A value with anything but visible ASCII and spaces is percent-encoded as UTF-8, and a
 * value that is too long is left out; `webhook-encoded` and `webhook-omitted` list the names of
 * these headers. Errors: UnsendableDelivery `invalid header` for a reserved name.
 */
export function customHeaders(headers: OutgoingWebhook['headers'], data: JsonObject): Header[] {
  const sent: Header[] = []
  const encoded: string[] = []
  const omitted: string[] = []
  for (const { name, value } of headers) {
    if (headerProblem(name) !== null) throw invalidHeader(name, 'cannot be set by a webhook')
    const text = headerValue(value, data)
    const sendable = isVisible(text) ? text : percentEncoded(text)
    if (sendable.length > longestValue) {
      omitted.push(name)
      continue
    }
    sent.push([name, sendable])
    if (sendable !== text) encoded.push(name)
  }
  return [...sent, ...listOfNames('webhook-encoded', encoded), ...listOfNames('webhook-omitted', omitted)]
}

/** No header if there are no names. */
function listOfNames(header: string, names: readonly string[]): Header[] {
  return names.length === 0 ? [] : [[header, names.join(', ')]]
}

/**
 * The scalar at the path `value` in the data, as a string; empty for null. If the path leads to
 * nothing, or to a list or an object, `value` itself is the value of the header.
 */
export function headerValue(value: string, data: JsonObject): string {
  const found = lookUp(data, value)
  if (found === null) return ''
  return isScalar(found) ? String(found) : value
}

function isScalar(value: Json | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function isVisible(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value)
}

/**
 * Encodes a value for `decodeURIComponent`. Lone surrogates are replaced. Values that are too long
 * anyway stay as they are.
 */
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

/**
 * Why a secret cannot sign deliveries; null if it can. Only the canonical base64 of a key is
 * accepted, because some receivers reject any other.
 */
export function secretProblem(secret: string): string | null {
  const problem = 'must be `whsec_` and 24 to 64 bytes in base64'
  const text = secret.slice(prefix.length)
  if (!secret.startsWith(prefix) || !base64.test(text)) return problem
  const key = atob(text)
  const isOfLength = key.length >= shortestKey && key.length <= longestKey
  return isOfLength && btoa(key) === text ? null : problem
}

interface SignedMessage {
  readonly id: string
  /** Unix seconds, as `webhook-timestamp` has them. */
  readonly timestamp: string
  /** Empty if the request has no body. */
  readonly body: string
}

/**
 * The `webhook-signature` of a delivery (Standard Webhooks): `v1,` and the HMAC-SHA-256 of
 * `id.timestamp.body` in base64.
 */
export async function signature(secret: string, { id, timestamp, body }: SignedMessage): Promise<string> {
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', keyOf(secret), hash, false, ['sign'])
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
  return `v1,${base64Of(mac)}`
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(secret.slice(prefix.length)), (character) => character.charCodeAt(0))
}
