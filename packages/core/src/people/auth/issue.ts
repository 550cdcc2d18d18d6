import { SignJWT, type JWTPayload } from 'jose'
import type { Cookie } from '@quire/contract/codec'
import type { AccountPrincipal } from '../../engine/access/identity.ts'
import type { Call } from '../../engine/call.ts'
import { algorithm, signingKey } from './keys.ts'

/** The content of a token. */
interface TokenContent {
  readonly kind: 'user' | 'service'
  readonly id: string
  readonly name: string
  readonly epoch: number
  /** Unix ms. */
  readonly expires: number
  /** The session to which it belongs. */
  readonly session?: string
}

// RFC 9068 requires a client id. For users, who sign in at the service itself, it is this one.
const ownClient = 'quire'

/**
 * Signs an access token (RFC 9068). It identifies the account and its expiry, and contains no
 * permissions.
 */
export async function signToken(call: Call, content: TokenContent): Promise<string> {
  const { kind, id, name, epoch, expires, session } = content
  const client = kind === 'service' ? id : ownClient
  const claims = { typ: kind, client_id: client, name, epoch, ...(session !== undefined && { sid: session }) }
  return sign(call, { subject: id, expires, claims })
}

/** Whom a reading token stands for. */
export type Reader = Pick<AccountPrincipal, 'kind' | 'id' | 'session'>

/** For what the reader in a reading token is sealed. */
export const readerPurpose = 'reading-token'

/**
 * Signs a token with which its holder may read in one repository what an account may read. It goes to
 * other services in an address, so its claims say nothing about the account.
 */
export async function signReadingToken(
  call: Call,
  content: Pick<TokenContent, 'epoch' | 'expires'> & { readonly reader: Reader; readonly readsIn: string },
): Promise<string> {
  const { reader, readsIn, epoch, expires } = content
  const subject = await call.environment.secrets.seal(JSON.stringify(reader), readerPurpose)
  return sign(call, { subject, expires, claims: { typ: 'reads', client_id: ownClient, on: readsIn, epoch } })
}

interface Signed extends Pick<TokenContent, 'expires'> {
  readonly subject: string
  readonly claims: JWTPayload
}

async function sign(call: Call, { subject, expires, claims }: Signed): Promise<string> {
  const { baseUrl, ids } = call.environment
  const key = await signingKey(call)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, kid: key.id, typ: 'at+jwt' })
    .setIssuer(baseUrl)
    .setAudience(baseUrl)
    .setSubject(subject)
    .setJti(ids.next('TOKN'))
    .setIssuedAt(Math.floor(call.now / 1000))
    .setExpirationTime(Math.floor(expires / 1000))
    .sign(key.key)
}

/** A cookie of this service. It is `secure` if the service has an https URL. */
export function cookieOf({ environment }: Call, cookie: Omit<Cookie, 'secure'>): Cookie {
  return { ...cookie, secure: environment.baseUrl.startsWith('https:') }
}
