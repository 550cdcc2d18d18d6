import { stringifySetCookie } from 'cookie'

/**
 * A cookie of the service. Scripts cannot read it, and other sites cannot send it except when a
 * link is followed.
 */
export interface Cookie {
  /**
   * `token`: a session (specification 5.2.1); `login`: identifies the browser that started a
   * sign-in.
   */
  readonly name: 'token' | 'login'
  /** Empty, with `maxAge` 0, to delete the cookie. */
  readonly value: string
  /** Lifetime in seconds. */
  readonly maxAge: number
  readonly path: string
  /** Whether it is sent only over https. */
  readonly secure: boolean
}

/** The value of `Set-Cookie`. */
export function formatCookie({ name, value, maxAge, path, secure }: Cookie): string {
  return stringifySetCookie({ name, value, maxAge, path, secure, httpOnly: true, sameSite: 'lax' })
}
