import { SignJWT } from 'jose'
import type { Cookie } from '@quire/contract/codec'
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
  readonly session?: string | undefined
  /** For a reading token: the id of the repository. */
  readonly readsIn?: string
}

// RFC 9068 requires a client id. For users, who sign in at the service itself, it is this one.
const ownClient = 'quire'

/**
 * Signs an access token (RFC 9068). It identifies the account and its expiry, and contains no
 * permissions.
 */
export async function signToken(call: Call, content: TokenContent): Promise<string> {
  const { baseUrl, ids } = call.environment
  const { kind, id, name, epoch, expires, session, readsIn } = content
  const key = await signingKey(call)
  return new SignJWT({
    ...(readsIn === undefined ? { typ: kind } : { typ: 'reads', of: kind, on: readsIn }),
    client_id: kind === 'service' ? id : ownClient,
    name,
    epoch,
    ...(session !== undefined && { sid: session }),
  })
    .setProtectedHeader({ alg: algorithm, kid: key.id, typ: 'at+jwt' })
    .setIssuer(baseUrl)
    .setAudience(baseUrl)
    .setSubject(id)
    .setJti(ids.next('TOKN'))
    .setIssuedAt(Math.floor(call.now / 1000))
    .setExpirationTime(Math.floor(expires / 1000))
    .sign(key.key)
}

/** A cookie of this service. It is `secure` if the service has an https URL. */
export function cookieOf({ environment }: Call, cookie: Omit<Cookie, 'secure'>): Cookie {
  return { ...cookie, secure: environment.baseUrl.startsWith('https:') }
}
