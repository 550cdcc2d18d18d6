import { Email, limits } from '@quire/contract'
import type { SignedIn } from '@quire/core/ports'

/** What an issuer says of somebody (OpenID Connect Core 1.0 §5.1). */
export type Claims = Readonly<Record<string, unknown>>

/**
 * The person whom claims prove. `trustEmail` takes an address of which the issuer does not say whether it is verified, never one of which it
 * says that it is not. Errors: throws when there is no address, or it is not proved.
 */
export function provedPerson(claims: Claims, { trustEmail }: { readonly trustEmail: boolean }): SignedIn {
  const { email, email_verified: isVerified } = claims
  if (typeof email !== 'string' || !isAddress(email)) throw new Error('The issuer gives no e-mail address.')
  const isProved = isVerified === true || (trustEmail && isVerified === undefined)
  if (!isProved) throw new Error('The issuer does not say that the e-mail address is verified.')
  return { email, name: nameOf(claims) ?? email }
}

// Users are told apart by their address in lower case, and the Kelvin sign in lower case is a plain k: who proves an address with it would
// be somebody else. Letters of that sort are no letters of NFKC.
function isAddress(email: string): boolean {
  return Email.safeParse(email).success && email.normalize('NFKC') === email
}

function nameOf({ name }: Claims): string | undefined {
  const text = typeof name === 'string' ? name.trim().slice(0, limits.name) : ''
  return text === '' ? undefined : text
}
