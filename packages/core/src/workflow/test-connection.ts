import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { requirePermission, type Call } from '../call/call.ts'
import { authHeaders } from '../call/upstream.ts'
import { OutboundFailure } from '../ports/index.ts'
import { openedSecrets } from './connection-secrets.ts'
import { findConnection } from './connections.ts'

type Test = Contract['workflowConnections']['test']

/** Tries whether the engine of a connection answers and lets us in. Errors: `forbidden`, `not_found`. */
export async function testConnection(call: Call, { id }: ParsedOf<Test>): Promise<OutputOf<Test>> {
  requirePermission(call, 'admin.workflow.update')
  const connection = await findConnection(call, id)
  const { auth } = await openedSecrets(call.environment, connection)
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const { status } = await call.environment.outbound.send({
      url: connection.baseUrl,
      method: 'GET',
      headers: authHeaders(auth),
      body: null,
      connectMs: connection.timeoutMs,
      totalMs: connection.timeoutMs,
      maxAnswerBytes: 1024,
    })
    return { ok: isIn(status), status, ms: took(), message: messageOf(status) }
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return { ok: false, status: null, ms: took(), message: error.message }
  }
}

/** What is not found there, or is not there to be read, is for the paths behind it to be: the engine answered, and let us in. */
function isIn(status: number): boolean {
  return status < 300 || status === 404 || status === 405
}

function messageOf(status: number): string {
  const answered = `The engine answered with ${status}`
  if (isIn(status)) return `${answered}.`
  if (status < 400) return `${answered}: redirects are not followed, give the address that it leads to.`
  if (status === 401 || status === 403) return `${answered}: it does not know the credentials.`
  return status < 500 ? `The engine refused it with ${status}.` : `The engine failed with ${status}.`
}
