/** Shown instead of a secret. Sent back, it leaves the secret unchanged (TRUST S25). */
export const redacted = '***'
