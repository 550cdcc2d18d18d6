/** What is shown in place of a secret, and keeps it where it is sent back (TRUST S25). */
export const redacted = '***'
