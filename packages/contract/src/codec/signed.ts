/** The members of a signed call that travel as headers (specification 5.3). */
export const credentialHeaders = {
  apiKey: 'x-api-key',
  signature: 'x-webhook-signature',
  messageId: 'idempotency-key',
} as const

/** The name of such a member. */
export type CredentialMember = keyof typeof credentialHeaders

/** The names of such members. */
export const credentialMembers: readonly CredentialMember[] = ['apiKey', 'signature', 'messageId']
