import { limits, type LogEntry } from '@quire/contract'
import { isBranchOnly } from '../engine/access/permissions.ts'
import type { Call } from '../engine/call.ts'
import { unfitProblem } from '../engine/check-input.ts'
import { recordEvent } from '../engine/journal.ts'
import { knownRepository, maySeeRepository } from '../engine/scope.ts'
import type { JournalEntry } from '../ports/index.ts'

/** A call of an agent, at its end. */
export interface AgentCall {
  /** `items.update`… */
  readonly name: string
  /** As it was sent. */
  readonly input: unknown
  /** `ok`, or the code of the error. */
  readonly outcome: string
  readonly bytes: number
}

const event = 'AGENT_CALLED'

/** Whether an entry is about a call of an agent. Logs have them only on request. */
export function isAgentCall(entry: Pick<JournalEntry, 'event'>): boolean {
  return entry.event === event
}

/** The journal entry for a call of an agent. The input need not be valid. */
export async function agentEntry(
  call: Call,
  { name, input, outcome, bytes }: AgentCall,
): Promise<JournalEntry> {
  const { repository, packageName } = namesIn(name, input)
  const known = repository === undefined ? null : await knownRepository(call, repository)
  // Nobody writes into the log of a repository that does not exist for them.
  const repositoryId = known && maySeeRepository(call, known.id) ? known.id : ''
  const { id, permissions } = call.identity
  return recordEvent(call, event, {
    kind: 'account',
    id,
    repositoryId,
    details: {
      operation: name,
      outcome,
      bytes,
      ...(packageName !== undefined && { packageName }),
      ...(!isBranchOnly(permissions) && { warning: 'not_branch_only' }),
    },
  })
}

/** The call that an entry is about, as a member. */
export function agentCallMember({
  event,
  details: { operation, outcome, bytes, warning },
}: Pick<JournalEntry, 'event' | 'details'>): Pick<LogEntry, 'call'> {
  if (!isAgentCall({ event })) return {}
  return {
    call: {
      operation: typeof operation === 'string' ? operation : '',
      outcome: typeof outcome === 'string' ? outcome : '',
      bytes: Number(bytes),
      ...(warning === 'not_branch_only' && { warning }),
    },
  }
}

/** The repository and the package that an input names. */
function namesIn(
  operation: string,
  input: unknown,
): { repository?: string | undefined; packageName?: string | undefined } {
  const { metadata, ...members } = membersOf(input)
  const { configId, repositoryId, repo, id, packageName } = { ...membersOf(metadata), ...members }
  const ofRepository = operation.startsWith('repositories.') ? id : undefined
  return {
    repository: [configId, repositoryId, repo, ofRepository].find(isName),
    packageName: [packageName].find(isName),
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= limits.name && unfitProblem(value) === null
}
