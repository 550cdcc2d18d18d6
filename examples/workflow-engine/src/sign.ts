import { createHmac } from 'node:crypto'

/**
 * How a callback proves that it comes from this engine: with one of the two credentials of its
 * connection.
 */
export type CallbackKey = { readonly signingSecret: string } | { readonly apiKey: string }

/**
 * The header that authenticates a body. A signature is valid for five minutes, so each attempt gets
 * a new one.
 */
export function vouchFor(body: string, key: CallbackKey): Record<string, string> {
  if ('apiKey' in key) return { 'X-API-Key': key.apiKey }
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', key.signingSecret).update(`${seconds}.${body}`).digest('hex')
  return { 'X-Webhook-Signature': `t=${seconds},v1=${signature}` }
}
