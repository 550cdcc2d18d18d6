import type { AdminAccount } from '../admin/admin-account.ts'

/** What the welcome tells of. */
export interface WelcomeOptions {
  readonly url: string
  readonly admin: AdminAccount | null
  readonly explorer: 'public' | 'off'
  /** What the call to try reads. */
  readonly path: string
}

/** What to do next: where the explorer is, who may call, and one call that works as it is printed. */
export function welcome({ url, admin, explorer, path }: WelcomeOptions): string {
  const lines = [
    ...(explorer === 'public' ? [`Explorer         ${url}/api-docs`] : []),
    `Service account  ${accountLine(admin)}`,
    ...(admin ? [`Try              ${tryLine({ url, path }, admin)}`] : []),
  ]
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`
}

function accountLine(admin: AdminAccount | null): string {
  if (!admin)
    return 'make one, while nothing is served: quire service-account create --name me --bundle bundle.administrator'
  const { secretIn } = admin
  return `${admin.clientId} (secret in ${'file' in secretIn ? secretIn.file : `$${secretIn.variable}`})`
}

// The secret stays where it is: it is read when the line is pasted, and stands in no terminal, log or shell history.
function tryLine(
  { url, path }: Pick<WelcomeOptions, 'url' | 'path'>,
  { clientId, secretIn }: AdminAccount,
): string {
  const secret =
    'file' in secretIn
      ? `$(sed -n 's/.*"clientSecret": "\\(.*\\)".*/\\1/p' ${quoted(secretIn.file)})`
      : `$${secretIn.variable}`
  const token = `$(curl -s ${url}/oauth2/token -u "${clientId}:${secret}" -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`
  return `curl "${url}${path}" -H "Authorization: Bearer ${token}"`
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`
}
