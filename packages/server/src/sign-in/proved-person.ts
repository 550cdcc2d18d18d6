import { Email, limits } from '@quire/contract'
import type { SignedIn } from '@quire/core/ports'

/** The claims of an issuer about a person (OpenID Connect Core 1.0 §5.1). */
export type Claims = Readonly<Record<string, unknown>>

/**
 * The person that the claims prove. `trustEmail` accepts an address that the issuer does not report
 * as verified or unverified, but never one that it reports as unverified.
 * Errors: throws when there is no address, or it is not proved.
 */
export function provedPerson(claims: Claims, { trustEmail }: { readonly trustEmail: boolean }): SignedIn {
  const { email, email_verified: isVerified } = claims
  if (typeof email !== 'string' || !isAddress(email)) throw new Error('The issuer returned no email address.')
  const isProved = isVerified === true || (trustEmail && isVerified === undefined)
  if (!isProved) throw new Error('The issuer does not confirm that the email address is verified.')
  return { email, name: nameOf(claims) ?? email }
}

// Users are identified by their address in lower case. The Kelvin sign becomes a plain k in lower
// case, so its owner could sign in as somebody else. NFKC excludes such letters.
function isAddress(email: string): boolean {
  return Email.safeParse(email).success && email.normalize('NFKC') === email
}

function nameOf({ name }: Claims): string | undefined {
  const text = typeof name === 'string' ? name.trim().slice(0, limits.name) : ''
  return text === '' ? undefined : text
}
