import { createHmac } from 'node:crypto'

/** How Quire knows that a callback is from this engine: one of the two that its connection holds. */
export type CallbackKey = { readonly signingSecret: string } | { readonly apiKey: string }

/** The header that vouches for a body. A signature is good for five minutes, so each attempt has its own. */
export function vouchFor(body: string, key: CallbackKey): Record<string, string> {
  if ('apiKey' in key) return { 'X-API-Key': key.apiKey }
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', key.signingSecret).update(`${seconds}.${body}`).digest('hex')
  return { 'X-Webhook-Signature': `t=${seconds},v1=${signature}` }
}
