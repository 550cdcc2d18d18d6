import { createHmac } from 'node:crypto'
import type { WorkflowInfo } from '@quire/contract'
import { repository, secrets } from './world.ts'

/** What an engine tells. */
export interface CallbackSent {
  readonly packageName: string
  readonly workflowInstanceId: string
  readonly currentStep: string
  readonly status: 'active' | 'completed' | 'cancelled' | 'error'
  readonly nextActionUrl?: string
  readonly comment?: string
  readonly metadata?: object
}

/** What came back for it. */
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

/** The text of a callback. */
export function textOf(reported: CallbackSent): string {
  return JSON.stringify({ repositoryId: repository, ...reported })
}

/** How a text is signed. */
interface Signing {
  /** Seconds. Default: 0. */
  readonly ago?: number
  /** Default: that of the connection. */
  readonly secret?: string
}

/** The header that signs a text: computed here as the specification says it, not by our code. */
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

/** Tells something with the key of the connection. */
export function notify(url: string, reported: CallbackSent): Promise<Received> {
  return notifyText(url, textOf(reported), keyed)
}
