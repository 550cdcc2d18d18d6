import type { Contract, OutputOf } from '@quire/contract'
import { sendRequest, type SendingCall } from '../../engine/send.ts'
import type { Environment } from '../../engine/environment.ts'
import { authHeaders } from '../../engine/upstream.ts'
import { OutboundFailure } from '../../ports/index.ts'
import { openSecrets } from './connection-secrets.ts'
import type { WorkflowConnectionRecord } from './records.ts'

/** Asks the engine of a connection whether it accepts the credentials. */
export async function checkConnection(
  call: SendingCall & { readonly environment: Pick<Environment, 'secrets'> },
  connection: WorkflowConnectionRecord,
): Promise<OutputOf<Contract['workflowConnections']['test']>> {
  const { auth } = await openSecrets(call.environment, connection)
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const { status } = await sendRequest(call, {
      url: connection.baseUrl,
      method: 'GET',
      headers: authHeaders(auth),
      body: null,
      connectMs: connection.timeoutMs,
      totalMs: connection.timeoutMs,
      maxAnswerBytes: 1024,
    })
    return { ok: isAccepted(status), status, ms: took(), message: messageOf(status) }
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return { ok: false, status: null, ms: took(), message: error.message }
  }
}

/**
 * With 404 and 405, the engine answered and accepted the credentials: the base URL itself need not
 * be a readable resource.
 */
function isAccepted(status: number): boolean {
  return status < 300 || status === 404 || status === 405
}

function messageOf(status: number): string {
  const answered = `The engine answered with ${status}`
  if (isAccepted(status)) return `${answered}.`
  if (status < 400)
    return `${answered}: redirects are not followed, so baseUrl must be the target of the redirect.`
  if (status === 401 || status === 403) return `${answered}: it did not accept the credentials.`
  return status < 500
    ? `The engine rejected the request with ${status}.`
    : `The engine failed with ${status}.`
}
