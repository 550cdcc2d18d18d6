import { dirname } from 'node:path'
import type { AdminAccount } from '../admin/admin-account.ts'

export interface WelcomeOptions {
  readonly url: string
  readonly admin: AdminAccount | null
  /** The pages that are served, by name: their paths. */
  readonly pages: Readonly<Record<string, string>>
  /** The path that the example call reads. */
  readonly path: string
}

/** The next steps: where the pages for people are, which account can call, and an example call to paste. */
export function welcome({ url, admin, pages, path }: WelcomeOptions): string {
  const lines = [
    ...Object.entries(pages).map(([name, page]) => `${name.padEnd(17)}${url}${page}`),
    `Service account  ${accountLine(admin)}`,
    ...(admin ? [`Try              ${tryLine({ url, path }, admin)}`] : []),
  ]
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`
}

function accountLine(admin: AdminAccount | null): string {
  if (!admin)
    return 'create one while the server is stopped: quire service-account create --name me --bundle bundle.administrator'
  const { secretIn } = admin
  return `${admin.clientId} (secret in ${'file' in secretIn ? secretIn.file : `$${secretIn.variable}`})`
}

// The secret is read when the line is pasted, so no terminal, log or shell history contains it. Where
// the name of this program is known, it prints the token; elsewhere it may not be on the PATH.
function tryLine(
  { url, path }: Pick<WelcomeOptions, 'url' | 'path'>,
  { clientId, secretIn }: AdminAccount,
): string {
  const secret =
    'file' in secretIn
      ? `$(sed -n 's/.*"clientSecret": "\\(.*\\)".*/\\1/p' ${quoted(secretIn.file)})`
      : `$${secretIn.variable}`
  const { QUIRE_COMMAND: command } = process.env
  const token =
    command !== undefined && 'file' in secretIn
      ? `$(${command} token --url ${url} --data ${quoted(dirname(secretIn.file))})`
      : `$(curl -s ${url}/oauth2/token -u "${clientId}:${secret}" -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`
  return `curl "${url}${path}" -H "Authorization: Bearer ${token}"`
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`
}
