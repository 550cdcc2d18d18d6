import type { Contract, Issue, ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { outboundRequestProblem, type JsonObject } from '../ports/index.ts'
import { standIns } from './hide-secrets.ts'

type Given = ParsedOf<Contract['admin']['generateKey']>

/** Characters of the members as JSON: records are kept in memory. */
const mostText = 64 * 1024

/** What the service says itself, and what would mean something else to a call: no provider can have a member of such a name. */
const ownNames = ['id', 'createdDate', 'dryRun'] as const

/** Errors: `invalid` with an issue for each member that cannot be kept as it is. */
export function requireSound(
  { environment }: Call,
  { given, members }: { given: Given; members: JsonObject },
): void {
  const { baseUrl, apiKey, auth } = given
  const issues: (Issue | null)[] = [
    ...ownNames.map((name) => issue(name, Object.hasOwn(members, name) && 'is the service’s to say')),
    issue(
      'baseUrl',
      baseUrl !== undefined && (environment.outbound.problemOf(baseUrl) ?? besidePath(baseUrl)),
    ),
    issue(
      'auth',
      apiKey !== undefined && auth !== undefined && 'stands in place of apiKey: send one of them',
    ),
    issue('apiKey', apiKey !== undefined && headerProblem('authorization', `Bearer ${apiKey}`)),
    authIssue(auth),
    ...standIns(members).map((path) => issue(path, 'is what is shown in place of a secret: send the secret')),
    issue(
      '',
      JSON.stringify(members).length > mostText && `The members are more than ${mostText} characters of JSON`,
    ),
  ]
  const found = issues.filter((one) => one !== null)
  if (found.length > 0) throw invalid(found)
}

function issue(path: string, message: string | false | null): Issue | null {
  return message === false || message === null ? null : { path, message }
}

/** Paths are put behind it. */
function besidePath(baseUrl: string): string | null {
  const { search, hash } = new URL(baseUrl)
  return search === '' && hash === '' && !/[?#]/.test(baseUrl)
    ? null
    : 'An address holds no query and no fragment here.'
}

function authIssue(auth: Given['auth']): Issue | null {
  if (auth?.kind === 'bearer')
    return issue('auth.token', headerProblem('authorization', `Bearer ${auth.token}`))
  if (auth?.kind === 'basic')
    return issue('auth.username', auth.username.includes(':') && 'holds a colon, which ends it (RFC 7617)')
  if (auth?.kind !== 'api_key') return null
  const name = headerProblem(auth.headerName, 'x')
  return issue(
    name === null ? 'auth.key' : 'auth.headerName',
    name ?? headerProblem(auth.headerName, auth.key),
  )
}

/** What stands against a header as it would go out (TRUST S12). It says no value. */
function headerProblem(name: string, value: string): string | null {
  const bounds = { body: null, connectMs: 1, totalMs: 1, maxAnswerBytes: 1 }
  return outboundRequestProblem({
    url: 'https://host.invalid',
    method: 'GET',
    headers: [[name, value]],
    ...bounds,
  })
}
