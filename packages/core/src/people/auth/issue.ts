import { SignJWT } from 'jose'
import type { Cookie } from '@quire/contract/codec'
import type { Call } from '../../engine/call.ts'
import { algorithm, signingKey } from './keys.ts'

/** What a token says. */
interface Issued {
  readonly kind: 'user' | 'service'
  readonly id: string
  readonly name: string
  readonly epoch: number
  /** Unix ms. */
  readonly expires: number
  /** The session that it is of. */
  readonly session?: string
}

// RFC 9068 requires a client: users sign in at the service itself.
const ownClient = 'quire'

/** An access token (RFC 9068): who, until when, and nothing of what they may do. */
export async function signToken(call: Call, issued: Issued): Promise<string> {
  const { baseUrl, ids } = call.environment
  const { kind, id, name, epoch, expires, session } = issued
  const key = await signingKey(call)
  return new SignJWT({
    typ: kind,
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

/** A cookie of this service: sent over https alone where the service is reached by that. */
export function cookieOf({ environment }: Call, cookie: Omit<Cookie, 'secure'>): Cookie {
  return { ...cookie, secure: environment.baseUrl.startsWith('https:') }
}
