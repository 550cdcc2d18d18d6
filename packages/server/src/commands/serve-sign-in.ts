import type { Log } from '@quire/core/ports'
import type { OpenedQuire, QuireConfig } from '../open-quire.ts'
import { OperatorError } from '../operator-error.ts'
import { oidcSignIn } from '../sign-in/oidc.ts'
import { trustedIssuer } from '../sign-in/trusted-issuer.ts'
import type { IssuerAndAudience, SignInFlags } from './sign-in-flags.ts'

type SignInConfig = Pick<QuireConfig, 'signIn' | 'trustedIssuers'>

/**
 * Configures how users sign in, from flags and the environment.
 * Errors: OperatorError with exit code 2 for an incomplete configuration.
 */
export function signInConfig(flags: SignInFlags, env: NodeJS.ProcessEnv): SignInConfig {
  const { trustIssuer = [] } = flags
  requireOneAudience(trustIssuer)
  return { ...oidcConfig(flags, env), trustedIssuers: trustIssuer.map(trustedIssuer) }
}

function oidcConfig(flags: SignInFlags, env: NodeJS.ProcessEnv): Pick<SignInConfig, 'signIn'> {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcNewUsers: roles = [] } = flags
  const clientSecret = env['QUIRE_OIDC_CLIENT_SECRET'] || undefined
  if (issuer !== undefined && clientId !== undefined) {
    // An empty list would let everybody in without a role. Nobody means that, and an empty variable
    // would give it.
    const newUserRoles = roles.length === 0 ? undefined : roles
    const trustEmail = flags.oidcTrustEmail === '1'
    return { signIn: oidcSignIn({ issuer, clientId, clientSecret, newUserRoles, trustEmail }) }
  }
  const isConfigured =
    [issuer, clientId, clientSecret].some((value) => value !== undefined) || roles.length > 0
  if (!isConfigured) return {}
  throw new OperatorError(
    `OpenID Connect sign-in also needs ${issuer === undefined ? '--oidc-issuer' : '--oidc-client-id'}.`,
    { exitCode: 2 },
  )
}

function requireOneAudience(trusted: readonly IssuerAndAudience[]): void {
  const twice = trusted.find(({ issuer }, index) => trusted.findIndex((one) => one.issuer === issuer) < index)
  if (twice)
    throw new OperatorError(
      `--trust-issuer names ${twice.issuer} twice: name each issuer once, with one audience.`,
      {
        exitCode: 2,
      },
    )
}

/** Logs the roles for new users that do not exist. New users sign in without them. */
export async function warnOfMissingRoles(
  { store }: OpenedQuire,
  names: readonly string[],
  log: Log,
): Promise<void> {
  if (names.length === 0) return
  const roles = await store.records.list('role')
  const missing = names.filter((name) => !roles.some((role) => role.id === name || role.name === name))
  if (missing.length > 0) log.write('warn', 'oidc.roles_missing', { roles: missing })
}
