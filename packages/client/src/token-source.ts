import { QuireError } from '@quire/contract/client'
import { routes } from '@quire/contract/routes'
import type { Send } from './connection.ts'
import type { Auth } from './options.ts'
import type { ServiceAccount, TokenRequest, TokenSource } from './renewed-tokens.ts'

export type { TokenSource } from './renewed-tokens.ts'

/**
 * Creates the token source for an `auth` option. Errors (of its methods): TokenError, QuireError;
 * whatever a token function throws.
 */
export function createTokenSource(auth: Auth | undefined, send: Send): TokenSource {
  if (auth === undefined || 'token' in auth) return givenTokens(auth?.token)
  return accountTokens(auth, (input) => send({ route: routes.auth.token, input, options: {} }))
}

/**
 * Only servers have a secret, so a page does not load the code for it at first. It is loaded with the
 * client, so that the first call does not wait for it.
 */
function accountTokens(account: ServiceAccount, request: TokenRequest): TokenSource {
  let source: TokenSource | undefined
  const loaded = async () => {
    const { renewedTokens } = await import('./renewed-tokens.ts')
    return (source ??= renewedTokens(account, request, QuireError))
  }
  loaded().catch(() => undefined)
  return {
    current: async () => (await loaded()).current(),
    replace: async (refused) => (await loaded()).replace(refused),
  }
}

function givenTokens(token: string | (() => string | Promise<string>) | undefined): TokenSource {
  const current = async () => (typeof token === 'function' ? token() : token)
  return {
    current,
    replace: async (refused) => {
      const given = await current()
      return given === refused ? undefined : given
    },
  }
}
