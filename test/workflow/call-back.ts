import { createHmac } from 'node:crypto'
import type { WorkflowInfo } from '@quire/contract'
import { repository, secrets } from './world.ts'

/** A callback from an engine. */
export interface CallbackSent {
  readonly packageName: string
  readonly workflowInstanceId: string
  readonly currentStep: string
  readonly status: 'active' | 'completed' | 'cancelled' | 'error'
  readonly nextActionUrl?: string
  readonly comment?: string
  readonly metadata?: object
}

/** The answer to a callback. */
export interface Received {
  readonly status: number
  readonly body: {
    readonly success?: boolean
    readonly message: string
    readonly code?: string
    readonly requestId?: string
    readonly workflowInfo?: WorkflowInfo | null
  }
}

type Headers = Readonly<Record<string, string>>

/** The body of a callback as text. */
export function textOf(reported: CallbackSent): string {
  return JSON.stringify({ repositoryId: repository, ...reported })
}

/** Signature options. */
interface Signing {
  /** Age of the signature in seconds. Default: 0. */
  readonly ago?: number
  /** Default: the secret of the connection. */
  readonly secret?: string
}

/**
 * The header that signs a text. It is computed here according to the specification, not by our own
 * code.
 */
export function signed(text: string, { ago = 0, secret = secrets.signingSecret }: Signing = {}): Headers {
  const seconds = Math.floor(Date.now() / 1000) - ago
  const mac = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')
  return { 'x-webhook-signature': `t=${seconds},v1=${mac}` }
}

/** The header with the key of the connection. */
export const keyed: Headers = { 'x-api-key': secrets.apiKey }

/** Posts a text as a callback, once. */
export async function notifyText(url: string, text: string, headers: Headers): Promise<Received> {
  const response = await fetch(`${url}/api/workflow/status`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
    signal: AbortSignal.timeout(30_000),
  })
  const body: Received['body'] = JSON.parse(await response.text())
  return { status: response.status, body }
}

/** Posts a callback with the key of the connection. */
export function notify(url: string, reported: CallbackSent): Promise<Received> {
  return notifyText(url, textOf(reported), keyed)
}
