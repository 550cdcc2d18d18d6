import type { QuireError, TokenError } from '@quire/contract'
import { commonHeaders, isSitePage, sitePageOf } from '@quire/http/shared'
import type { FastifyReply } from 'fastify'
import { withReason } from './send.ts'

/**
 * Sends an error of a site as a page, if the request is one of a browser to a site. Returns whether
 * it was sent.
 */
export function sendsSitePage(reply: FastifyReply, error: QuireError | TokenError): boolean {
  const { request } = reply
  const endpoint = request.routeOptions.config.contractRoute
  if (!isSitePage({ endpoint, accept: request.headers.accept }, error)) return false
  const { status, headers, body } = sitePageOf(error, { endpoint, requestId: request.id })
  void reply
    .code(status)
    .headers({ ...commonHeaders, ...withReason(request, status, headers) })
    .send(body)
  return true
}
