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
