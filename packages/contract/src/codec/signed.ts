import type { InvalidMember } from './invalid.ts'
import type { SpecialRequest } from './special-form.ts'

/** The members of a signed call that are sent as headers (specification 5.3). */
export const credentialHeaders = {
  apiKey: 'x-api-key',
  signature: 'x-webhook-signature',
  messageId: 'idempotency-key',
} as const

/** The name of a member that is sent as a header. */
export type CredentialMember = keyof typeof credentialHeaders

/** The names of the members that are sent as headers. */
export const credentialMembers: readonly CredentialMember[] = ['apiKey', 'signature', 'messageId']

/** A signed call. Errors: QuireError `invalid` for a credential that is no text. */
export function encodeSignedRequest(
  members: Readonly<Record<string, unknown>>,
  invalid: InvalidMember,
): SpecialRequest {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const json: Record<string, unknown> = { ...members }
  for (const name of credentialMembers) {
    const value = members[name]
    delete json[name]
    if (value === undefined) continue
    if (typeof value !== 'string') throw invalid(name, 'must be text')
    headers[credentialHeaders[name]] = value
  }
  return { headers, json }
}
