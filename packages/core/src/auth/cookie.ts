import type { Cookie } from '@quire/contract/codec'
import type { Call } from '../call/call.ts'

/** A cookie of this service: sent over https alone where the service is reached by that. */
export function cookieOf({ environment }: Call, cookie: Omit<Cookie, 'secure'>): Cookie {
  return { ...cookie, secure: environment.baseUrl.startsWith('https:') }
}
