import { type Command, InvalidArgumentError, Option } from 'commander'

/** An issuer whose tokens are accepted, and the audience that they must name. */
export interface IssuerAndAudience {
  readonly issuer: string
  readonly audience: string
}

/** The flags of `quire serve` that configure sign-in, parsed. */
export interface SignInFlags {
  readonly oidcIssuer?: string
  readonly oidcClientId?: string
  readonly oidcNewUsers?: readonly string[]
  readonly oidcTrustEmail?: '0' | '1'
  readonly trustIssuer?: readonly IssuerAndAudience[]
}

/**
 * Adds the sign-in flags. The client secret is not a flag: other users of the machine can read
 * command lines.
 */
export function addSignInFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--oidc-issuer <url>',
        'OpenID Connect provider where users sign in; set its client secret, if any, in QUIRE_OIDC_CLIENT_SECRET',
      ).env('QUIRE_OIDC_ISSUER'),
    )
    .addOption(
      new Option('--oidc-client-id <id>', 'client id of this service at the provider').env(
        'QUIRE_OIDC_CLIENT_ID',
      ),
    )
    .addOption(
      new Option(
        '--oidc-new-users <role...>',
        'roles, by id or name, of people who sign in for the first time (default: only existing users can sign in)',
      )
        .env('QUIRE_OIDC_NEW_USERS')
        .argParser(addRoles),
    )
    .addOption(
      new Option(
        '--oidc-trust-email <0|1>',
        'accept email addresses that the provider does not report as verified or unverified',
      )
        .env('QUIRE_OIDC_TRUST_EMAIL')
        .choices(['0', '1'])
        .default('0'),
    )
    .addOption(
      new Option(
        '--trust-issuer <issuer=audience...>',
        'accept tokens of these issuers for the users of this service',
      )
        .env('QUIRE_TRUST_ISSUER')
        .argParser(addIssuers),
    )
}

function addRoles(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...partsOf(text)]
}

function addIssuers(text: string, before: readonly IssuerAndAudience[] = []): readonly IssuerAndAudience[] {
  return [...before, ...partsOf(text).map(parseIssuer)]
}

function parseIssuer(text: string): IssuerAndAudience {
  const [issuer = '', ...rest] = text.split('=')
  const audience = rest.join('=')
  if (issuer !== '' && audience !== '') return { issuer, audience }
  throw new InvalidArgumentError(
    'A trusted issuer must be an address and an audience, such as https://id.example.org=cms.',
  )
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
