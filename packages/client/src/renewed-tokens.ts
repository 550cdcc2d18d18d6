import type { QuireError } from '@quire/contract/client'

/** Provides bearer tokens. */
export interface TokenSource {
  /** The current token; undefined if there is none. Concurrent calls share one request. */
  current(): Promise<string | undefined>
  /**
   * A token other than the rejected one; undefined if there is none. Concurrent calls share one
   * request.
   */
  replace(refused: string): Promise<string | undefined>
}

/** The credentials of a service account. */
export interface ServiceAccount {
  readonly clientId: string
  readonly clientSecret: string
}

/** Requests a token with the members of a token request (RFC 6749 §4.4.2). */
export type TokenRequest = (input: object) => Promise<unknown>

interface HeldToken {
  readonly text: string
  /** Unix milliseconds. */
  readonly renewAt: number
}

/**
 * Seconds before its expiry at which a token is renewed: longer than a call takes. If it is valid
 * for less than twice that, at half of its lifetime.
 */
const margin = 60

function heldOf(response: unknown): HeldToken | null {
  const { access_token, expires_in } = Object(response)
  if (typeof access_token !== 'string' || typeof expires_in !== 'number') return null
  return { text: access_token, renewAt: Date.now() + Math.max(expires_in - margin, expires_in / 2) * 1000 }
}

/** Adds what to look at to the error for wrong credentials, whose message is only a code. */
function explain(error: unknown): never {
  if (error instanceof Error && error.message === 'invalid_client')
    Object.assign(error, {
      description: 'No such client, or not its secret: check clientId and clientSecret.',
    })
  throw error
}

/**
 * The tokens of a service account, each until it must be renewed. A failed renewal rejects all
 * waiting calls; the next call tries again.
 */
export function renewedTokens(
  { clientId, clientSecret }: ServiceAccount,
  request: TokenRequest,
  // It is given, not imported: a bundler would put it into a file of its own.
  Failure: typeof QuireError,
): TokenSource {
  let held: HeldToken | undefined
  let pending: Promise<HeldToken> | undefined
  const requested = async () => {
    const input = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const token = heldOf(await request(input).catch(explain))
    if (token) return token
    throw new Failure('internal', 'The response of POST /oauth2/token contains no token: check baseUrl.')
  }
  const renew = async () => {
    pending ??= requested().finally(() => (pending = undefined))
    held = await pending
    return held.text
  }
  return {
    current: async () => (held && Date.now() < held.renewAt ? held.text : renew()),
    replace: async (refused) => (held && held.text !== refused ? held.text : renew()),
  }
}
