import { SignJWT } from 'jose'
import type { Call } from '../call/call.ts'
import { algorithm, signingKey } from './keys.ts'

/** What a token says. */
export interface Issued {
  readonly kind: 'user' | 'service'
  readonly id: string
  readonly name: string
  readonly epoch: number
  /** Unix ms. */
  readonly expires: number
  /** The session that it is of. */
  readonly session?: string
}

/** An access token (RFC 9068): who, until when, and nothing of what they may do. */
export async function signToken(call: Call, issued: Issued): Promise<string> {
  const { baseUrl, ids } = call.environment
  const { kind, id, name, epoch, expires, session } = issued
  const key = await signingKey(call)
  return new SignJWT({ typ: kind, name, epoch, ...(session !== undefined && { sid: session }) })
    .setProtectedHeader({ alg: algorithm, kid: key.id, typ: 'at+jwt' })
    .setIssuer(baseUrl)
    .setAudience(baseUrl)
    .setSubject(id)
    .setJti(ids.next('TOKN'))
    .setIssuedAt(Math.floor(call.now / 1000))
    .setExpirationTime(Math.floor(expires / 1000))
    .sign(key.key)
}
