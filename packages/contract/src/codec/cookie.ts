import { stringifySetCookie } from 'cookie'

/** A cookie of ours. None is read by scripts, or sent along by other sites but with a link that is followed. */
export interface Cookie {
  /** `token`: a session (specification 5.2.1); `login`: which browser began a sign-in. */
  readonly name: 'token' | 'login'
  /** Empty with `maxAge` 0: away with it. */
  readonly value: string
  /** Seconds. */
  readonly maxAge: number
  readonly path: string
  /** Whether it is sent over https only. */
  readonly secure: boolean
}

/** The value of `Set-Cookie`. */
export function formatCookie({ name, value, maxAge, path, secure }: Cookie): string {
  return stringifySetCookie({ name, value, maxAge, path, secure, httpOnly: true, sameSite: 'lax' })
}
