import { QuireError } from '@quire/contract/client'
import { routes } from '@quire/contract/routes'
import type { Send } from './connection.ts'
import type { Auth } from './options.ts'

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

/**
 * Creates the token source for an `auth` option. Errors (of its methods): TokenError, QuireError;
 * whatever a token function throws.
 */
export function createTokenSource(auth: Auth | undefined, send: Send): TokenSource {
  if (auth === undefined) return { current: async () => undefined, replace: async () => undefined }
  if ('token' in auth) return givenTokens(auth.token)
  const { clientId, clientSecret } = auth
  const input = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  return renewedTokens(async () => heldOf(await send({ route: routes.auth.token, input, options: {} })))
}

function givenTokens(token: string | (() => string | Promise<string>)): TokenSource {
  const current = async () => (typeof token === 'string' ? token : token())
  return {
    current,
    replace: async (refused) => {
      const given = await current()
      return given === refused ? undefined : given
    },
  }
}

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

function heldOf(response: unknown): HeldToken {
  const { access_token, expires_in } = Object(response)
  if (typeof access_token !== 'string' || typeof expires_in !== 'number') {
    throw new QuireError('internal', 'The response of POST /oauth2/token contains no token: check baseUrl.')
  }
  return { text: access_token, renewAt: Date.now() + Math.max(expires_in - margin, expires_in / 2) * 1000 }
}

/**
 * Caches a token until it must be renewed. A failed renewal rejects all waiting calls; the next
 * call tries again.
 */
function renewedTokens(request: () => Promise<HeldToken>): TokenSource {
  let held: HeldToken | undefined
  let pending: Promise<HeldToken> | undefined
  const renew = async () => {
    pending ??= request().finally(() => (pending = undefined))
    held = await pending
    return held.text
  }
  return {
    current: async () => (held && Date.now() < held.renewAt ? held.text : renew()),
    replace: async (refused) => (held && held.text !== refused ? held.text : renew()),
  }
}
