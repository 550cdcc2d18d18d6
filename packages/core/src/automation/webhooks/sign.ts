import { base64Of } from '../../engine/digest.ts'

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
