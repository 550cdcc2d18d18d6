import type { EngineStep, PermissionKey, WorkflowInfo, WorkflowStep } from '@quire/contract'
import { findAccount, type Account } from '../../engine/access/records.ts'
import { graphOf, reachedGroups, type Graph, type Holder } from '../../engine/access/holdings.ts'
import { permissionsIn, type Identity } from '../../engine/access/identity.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import type { RecordReader, UserRef } from '../../ports/index.ts'
import type { WorkflowRecord } from './records.ts'
import { workflowFailed } from './outcome.ts'

/** The steps of an engine as they are kept. */
export interface StoredSteps {
  readonly steps: WorkflowStep[]
  /** Those that the engine meant for somebody, or for something, of which nothing is known here: see `WorkflowRecord`. */
  readonly restricted: readonly string[]
}

/** The steps with those of their groups alone that may see packages of the repository (specification 3.2). */
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

/** Whether whoever is in a group, and in nothing else, may see packages. */
function mayGroupSee(graph: Graph, groupId: string, repositoryId: string): boolean {
  const member: Holder = { kind: 'service', id: '', roles: [], groups: [groupId], repos: [] }
  return mayDo(permissionsIn(graph, member), 'packages.view', { repositoryId })
}

/** A workflow, as far as it says who may act in it. */
export interface Acting extends Pick<WorkflowRecord, 'restricted' | 'repositoryId'> {
  readonly info: WorkflowInfo
}

/**
 * The groups of the step that a workflow is at; none: anybody. Null: nobody knows, for a step that is restricted, or that the engine did not
 * name among its steps. It is for whoever may assign, and for nobody else.
 */
function groupsNow({ info: { steps, currentStep }, restricted = [] }: Acting): readonly string[] | null {
  if (steps.length === 0) return []
  const step = steps.find(({ name }) => name === currentStep)
  return step && !restricted.includes(currentStep) ? step.assignedGroups : null
}

/**
 * Somebody who can be assigned to the step that a workflow is at: an account that is enabled, may see packages of the repository, and is in
 * one of the groups of the step. Errors: `workflow_failed`.
 */
export async function requireAssignable(
  { store: { records } }: Pick<Call, 'store'>,
  { userName, ...at }: Acting & { readonly userName: string },
): Promise<UserRef> {
  const { info, repositoryId } = at
  const account = await accountOf(records, userName)
  const graph = await graphOf(records)
  const may = (key: PermissionKey) =>
    account?.enabled === true && mayDo(permissionsIn(graph, account), key, { repositoryId })
  if (!account || !may('packages.view'))
    throw workflowFailed(`There is nobody "${userName}" who may see packages of this repository.`, at)
  const groups = groupsNow(at)
  if (groups === null && !may('workflow.assign')) throw workflowFailed(restrictedProblem(info), at)
  if (groups && groups.length > 0 && !isIn(graph, account, groups))
    throw workflowFailed(`"${userName}" is in none of the groups of the step "${info.currentStep}".`, at)
  return { userName: account.id, displayName: account.name, email: account.email }
}

/**
 * Who may act in the step that a workflow is at: who is assigned to it, or, where nobody is, who is in one of its groups; and whoever may
 * assign. Errors: `workflow_failed`.
 */
export async function requireMayAct(call: Pick<Call, 'identity' | 'store'>, at: Acting): Promise<void> {
  const problem = actingProblem(await actorOf(call), at)
  if (problem !== null) throw workflowFailed(problem, at)
}

/** Somebody who wants to act, with all groups that they are in. */
interface Actor extends Pick<Identity, 'id' | 'permissions'> {
  readonly groups: ReadonlySet<string>
}

/** The caller as somebody who wants to act, looked up once for however many workflows. */
export async function actorOf({
  identity: { id, permissions },
  store: { records },
}: Pick<Call, 'identity' | 'store'>): Promise<Actor> {
  const account = await accountOf(records, id)
  const reached = account ? reachedGroups(await graphOf(records), account) : []
  return { id, permissions, groups: new Set(reached.map(({ group }) => group.id)) }
}

/** Why somebody may not act in the step that a workflow is at (see `requireMayAct`); null: they may. */
export function actingProblem({ id, permissions, groups }: Actor, at: Acting): string | null {
  const { info, repositoryId } = at
  if (mayDo(permissions, 'workflow.assign', { repositoryId })) return null
  const { assignee, currentStep } = info
  if (assignee?.userName === id) return null
  if (assignee) return `The step "${currentStep}" is assigned to ${assignee.displayName}.`
  const wanted = groupsNow(at)
  if (wanted === null) return restrictedProblem(info)
  return wanted.length === 0 || wanted.some((group) => groups.has(group))
    ? null
    : `You are in none of the groups of the step "${currentStep}".`
}

function restrictedProblem({ currentStep }: WorkflowInfo): string {
  return `The engine did not say whom that is known here the step "${currentStep}" is for: it is for those who may assign (workflow.assign).`
}

function isIn(graph: Graph, account: Account, groups: readonly string[]): boolean {
  return reachedGroups(graph, account).some(({ group }) => groups.includes(group.id))
}

async function accountOf(records: RecordReader, id: string): Promise<Account | null> {
  return (await findAccount(records, { kind: 'user', id })) ?? findAccount(records, { kind: 'service', id })
}
