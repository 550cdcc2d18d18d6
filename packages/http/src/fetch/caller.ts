import type { QuireError } from '@quire/contract'
import type { Principal } from '@quire/core'
import { identify, nobody } from '../callers/authentication.ts'
import { accountOf, networkOf } from '../callers/counted.ts'
import { isPublic, isPublicPath, type Located } from '../routing/locate.ts'
import type { Arriving, Serving } from './serving.ts'

/** Who sent a request. */
export interface Caller {
  readonly principal: Principal
  /** The name under which its requests count. */
  readonly counted: string
  /** Its network address, if the host or the connection tells it. */
  readonly address: string | undefined
}

/** Identifies and counts the caller. Errors: `unauthorized`, `too_many_requests`. */
export async function callerOf(serving: Serving, arriving: Arriving): Promise<Caller> {
  const { options, limiter } = serving
  const { incoming, located } = arriving
  const address = options.address ? options.address(incoming.request()) : incoming.address
  const network = networkOf(address)
  const unnamed: Caller = { principal: nobody, counted: network, address }
  if (isSigned(located)) return admitted(unnamed, limiter.signed(network))
  if (isPublic(located)) return admitted(unnamed, limiter.anonymous(network))
  const principal = await principalOf(serving, arriving).catch((error: Error) => error)
  if (principal instanceof Error) {
    admitted(unnamed, limiter.anonymous(network))
    if (located.kind === 'unknown' && isPublicPath(located.path)) return unnamed
    throw principal
  }
  // The host acts itself, which no rate limits.
  if (principal.kind === 'system') return { ...unnamed, principal }
  const account = accountOf(principal)
  if (account === null) return admitted({ ...unnamed, principal }, limiter.anonymous(network))
  return admitted({ principal, counted: account, address }, limiter.account(account))
}

function isSigned(located: Located): boolean {
  return located.kind === 'found' && located.found.route.named.endpoint.body === 'signed'
}

/** The principal that the host knows, or that of the credential. Errors: `unauthorized`. */
async function principalOf(
  { quire, options }: Serving,
  { incoming, located, given }: Arriving,
): Promise<Principal> {
  const context = given ?? (await options.context?.(incoming.request()))
  if (context?.identity) return context.identity
  const permission = located.kind === 'found' ? located.found.route.named.endpoint.permission : undefined
  return identify(quire, incoming, permission)
}

function admitted(caller: Caller, refusal: QuireError | undefined): Caller {
  if (refusal) throw refusal
  return caller
}
