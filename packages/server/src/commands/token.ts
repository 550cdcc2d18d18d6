import { join } from 'node:path'
import { createClient, TokenError } from '@quire/client'
import { readCredentials } from '../admin/admin-account.ts'
import { OperatorError } from '../operator-error.ts'

/** Options of `quire token`, parsed. */
export interface TokenOptions {
  readonly url: string
  readonly data: string
  readonly clientId?: string
  readonly clientSecret?: string
}

/**
 * Prints an access token of a running service and nothing else: for `curl -H "Authorization: Bearer
 * $(quire token)"`. Uses the given service account, else the one in `admin.json` of the data folder.
 * Errors: OperatorError without an account.
 */
export async function printToken({ url, data, clientId, clientSecret }: TokenOptions): Promise<void> {
  const file = join(data, 'admin.json')
  const account =
    clientId !== undefined && clientSecret !== undefined
      ? { clientId, clientSecret }
      : await readCredentials(file)
  if (!account)
    throw new OperatorError(
      `There is no ${file}: name a service account with --client-id and --client-secret.`,
      {
        exitCode: 2,
      },
    )
  const { clientId: client_id, clientSecret: client_secret } = account
  const quire = createClient({ baseUrl: url })
  const input = { grant_type: 'client_credentials', client_id, client_secret } as const
  const { access_token } = await quire.auth.token(input).catch((error: unknown) => {
    if (!(error instanceof TokenError) || error.status !== 401) throw error
    const source = clientId === undefined ? file : '--client-id and --client-secret'
    throw new OperatorError(
      `invalid_client: ${url} has no service account ${client_id} with this secret: check ${source}.`,
    )
  })
  process.stdout.write(`${access_token}\n`)
}
