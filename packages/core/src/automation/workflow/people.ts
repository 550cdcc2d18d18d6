import type { EngineStep, PermissionKey, WorkflowInfo, WorkflowStep } from '@quire/contract'
import { findAccount, type Account } from '../../engine/access/records.ts'
import { graphOf, reachedGroups, type Graph, type Holder } from '../../engine/access/holdings.ts'
import { permissionsIn, type Identity } from '../../engine/access/identity.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import type { RecordReader, UserRef } from '../../ports/index.ts'
import type { WorkflowRecord } from './records.ts'
import { workflowFailed } from './outcome.ts'

/** The steps of an engine as they are stored. */
export interface StoredSteps {
  readonly steps: WorkflowStep[]
  /** Names of steps that only holders of `workflow.assign` may act in: see `WorkflowRecord`. */
  readonly restricted: readonly string[]
}

/**
 * The steps, with only those groups that may see packages of the repository (specification 3.2).
 */
export async function stepsFor(
  records: RecordReader,
  steps: readonly EngineStep[],
  repositoryId: string,
): Promise<StoredSteps> {
  const graph = await graphOf(records)
  const maySee = (id: string) => graph.groupsById.has(id) && mayGroupSee(graph, id, repositoryId)
  const known = steps.map(({ isForeign, ...step }) => {
    const assignedGroups = step.assignedGroups.filter(maySee)
    const isEmptied = step.assignedGroups.length > 0 && assignedGroups.length === 0
    return { isRestricted: isForeign === true || isEmptied, step: { ...step, assignedGroups } }
  })
  return {
    steps: known.map(({ step }) => step),
    restricted: known.filter(({ isRestricted }) => isRestricted).map(({ step }) => step.name),
  }
}

/** Whether membership in the group is enough to see packages. */
function mayGroupSee(graph: Graph, groupId: string, repositoryId: string): boolean {
  const member: Holder = {
    kind: 'service',
    id: '',
    roles: [],
    groups: [groupId],
    repos: [],
    branchOnly: false,
  }
  return mayDo(permissionsIn(graph, member), 'packages.view', { repositoryId })
}

/** The parts of a workflow that decide who may act in it. */
export interface WorkflowPosition extends Pick<WorkflowRecord, 'restricted' | 'repositoryId'> {
  readonly info: WorkflowInfo
}

/**
 * The groups of the current step; none: anyone may act. Null for a restricted step, and for one
 * that is not among the engine's steps: only those who may assign may act in it.
 */
function currentGroups({
  info: { steps, currentStep },
  restricted = [],
}: WorkflowPosition): readonly string[] | null {
  if (steps.length === 0) return []
  const step = steps.find(({ name }) => name === currentStep)
  return step && !restricted.includes(currentStep) ? step.assignedGroups : null
}

/**
 * Requires an account that can be assigned to the current step of a workflow: it is enabled, may
 * see packages of the repository, and is in one of the groups of the step. Errors:
 * `workflow_failed`.
 */
export async function requireAssignable(
  { store: { records } }: Pick<Call, 'store'>,
  { userName, ...at }: WorkflowPosition & { readonly userName: string },
): Promise<UserRef> {
  const { info, repositoryId } = at
  const account = await findUserOrService(records, userName)
  const graph = await graphOf(records)
  const may = (key: PermissionKey) =>
    account?.enabled === true && mayDo(permissionsIn(graph, account), key, { repositoryId })
  if (!account || !may('packages.view'))
    throw workflowFailed(`There is no account "${userName}" that may see packages of this repository.`, at)
  const groups = currentGroups(at)
  if (groups === null && !may('workflow.assign')) throw workflowFailed(restrictedProblem(info), at)
  if (groups && groups.length > 0 && !isInGroup(graph, account, groups))
    throw workflowFailed(`"${userName}" is in none of the groups of the step "${info.currentStep}".`, at)
  return { userName: account.id, displayName: account.name, email: account.email }
}

/**
 * Requires that the caller may act in the current step of a workflow. The assignee may, or if there
 * is none, the members of the step's groups; and anyone who may assign. Errors: `workflow_failed`.
 */
export async function requireMayAct(
  call: Pick<Call, 'identity' | 'store'>,
  at: WorkflowPosition,
): Promise<void> {
  const problem = actingProblem(await findActor(call), at)
  if (problem !== null) throw workflowFailed(problem, at)
}

/** A caller with the ids of all groups they are in, directly or through other groups. */
interface Actor extends Pick<Identity, 'id' | 'permissions'> {
  readonly groups: ReadonlySet<string>
}

/** Finds the groups of the caller, once for any number of workflows. */
export async function findActor({
  identity: { id, permissions },
  store: { records },
}: Pick<Call, 'identity' | 'store'>): Promise<Actor> {
  const account = await findUserOrService(records, id)
  const reached = account ? reachedGroups(await graphOf(records), account) : []
  return { id, permissions, groups: new Set(reached.map(({ group }) => group.id)) }
}

/**
 * Why somebody may not act in the current step of a workflow (see `requireMayAct`); null if they
 * may.
 */
export function actingProblem({ id, permissions, groups }: Actor, at: WorkflowPosition): string | null {
  const { info, repositoryId } = at
  if (mayDo(permissions, 'workflow.assign', { repositoryId })) return null
  const { assignee, currentStep } = info
  if (assignee?.userName === id) return null
  if (assignee) return `The step "${currentStep}" is assigned to ${assignee.displayName}.`
  const allowed = currentGroups(at)
  if (allowed === null) return restrictedProblem(info)
  return allowed.length === 0 || allowed.some((group) => groups.has(group))
    ? null
    : `You are in none of the groups of the step "${currentStep}".`
}

function restrictedProblem({ currentStep }: WorkflowInfo): string {
  return `The engine did not give the step "${currentStep}" to anyone known here, so it is reserved for those who may assign (workflow.assign).`
}

function isInGroup(graph: Graph, account: Account, groups: readonly string[]): boolean {
  return reachedGroups(graph, account).some(({ group }) => groups.includes(group.id))
}

async function findUserOrService(records: RecordReader, id: string): Promise<Account | null> {
  const user = await findAccount(records, { kind: 'user', id: id.toLowerCase() })
  return user ?? findAccount(records, { kind: 'service', id })
}
