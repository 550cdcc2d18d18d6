import { type Command, InvalidArgumentError, Option } from 'commander'

/** Whose tokens are taken, and what they must be made for. */
export interface IssuerAndAudience {
  readonly issuer: string
  readonly audience: string
}

/** Who signs users in, as `quire serve` is told. */
export interface SignInFlags {
  readonly oidcIssuer?: string
  readonly oidcClientId?: string
  readonly oidcNewUsers?: readonly string[]
  readonly oidcTrustEmail?: '0' | '1'
  readonly trustIssuer?: readonly IssuerAndAudience[]
}

/** Adds the flags that say who signs users in. The secret is no flag: a command line is seen by everybody on the machine. */
export function addSignInFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--oidc-issuer <url>',
        'OpenID Connect provider where users sign in; the client secret, where there is one, is in QUIRE_OIDC_CLIENT_SECRET',
      ).env('QUIRE_OIDC_ISSUER'),
    )
    .addOption(
      new Option('--oidc-client-id <id>', 'how the provider knows this service').env('QUIRE_OIDC_CLIENT_ID'),
    )
    .addOption(
      new Option(
        '--oidc-new-users <role...>',
        'roles, by id or name, of people who sign in for the first time (default: only users who are there get in)',
      )
        .env('QUIRE_OIDC_NEW_USERS')
        .argParser(addRoles),
    )
    .addOption(
      new Option(
        '--oidc-trust-email <0|1>',
        'take addresses of which the provider does not say whether they are verified',
      )
        .env('QUIRE_OIDC_TRUST_EMAIL')
        .choices(['0', '1'])
        .default('0'),
    )
    .addOption(
      new Option('--trust-issuer <issuer=audience...>', 'take the tokens of others for those of our users')
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
    'A trusted issuer is an address and an audience: https://id.example.org=cms.',
  )
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
