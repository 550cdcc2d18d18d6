import type { Contract, Issue, ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { invalid, issueAt } from '../call/check-input.ts'
import { authIssue, baseUrlProblem, upstreamHeaderProblem } from '../call/upstream.ts'
import type { JsonObject } from '../ports/index.ts'
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
    ...ownNames.map((name) => issueAt(name, Object.hasOwn(members, name) && 'is the service’s to say')),
    issueAt('baseUrl', baseUrl !== undefined && baseUrlProblem(environment, baseUrl)),
    issueAt(
      'auth',
      apiKey !== undefined && auth !== undefined && 'stands in place of apiKey: send one of them',
    ),
    issueAt('apiKey', apiKey !== undefined && upstreamHeaderProblem('authorization', `Bearer ${apiKey}`)),
    authIssue(auth),
    ...standIns(members).map((path) =>
      issueAt(path, 'is what is shown in place of a secret: send the secret'),
    ),
    issueAt(
      '',
      JSON.stringify(members).length > mostText && `The members are more than ${mostText} characters of JSON`,
    ),
  ]
  const found = issues.filter((one) => one !== null)
  if (found.length > 0) throw invalid(found)
}
