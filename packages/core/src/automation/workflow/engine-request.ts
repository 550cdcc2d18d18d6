import type { Contract, Package, ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { withoutSlash } from '../../engine/upstream.ts'
import { packageJson, type PackageScope } from '../../branches/packages/record.ts'
import type { PendingAction, WorkflowRecord } from './records.ts'
import { workflowFailed } from './outcome.ts'
import { requireMayAct } from './people.ts'
import { isEnded } from './transitions.ts'

export type WorkflowInput = ParsedOf<Contract['workflow']['event']>

/** The request to an engine, with the members of its `PendingAction` that depend on it. */
export type EngineRequest = Pick<
  PendingAction,
  'url' | 'body' | 'workflowName' | 'connectionId' | 'timeoutMs'
>

/** The request to start a workflow (specification 4.8). Errors: `workflow_failed`. */
export async function startRequest(
  { store: { records } }: Call,
  { repository, package: found }: PackageScope,
  { workflowId, metadata = {} }: WorkflowInput,
): Promise<EngineRequest> {
  const { enabled, defaultWorkflowId } = repository.settings.workflow
  if (!enabled)
    throw workflowFailed(
      'Reviews are not enabled in this repository. Its settings.workflow.enabled must be true.',
      null,
    )
  const id = workflowId ?? defaultWorkflowId
  if (id === null)
    throw workflowFailed('The repository has no default workflow. Name one in workflowId.', null)
  const definition = await records.get('workflowDefinition', id)
  const connection = definition && (await records.get('workflowConnection', definition.connectionId))
  if (!definition || !connection) throw workflowFailed(`There is no workflow "${id}".`, null)
  const { baseUrl, callbackBaseUrl } = connection
  const key = encodeURIComponent(definition.processDefinitionKey ?? '')
  const payload: Package = packageJson(found)
  const own = {
    action: 'start',
    type: 'package',
    callbackBaseUrl,
    statusCallbackUrl: `${withoutSlash(callbackBaseUrl)}/api/workflow/status`,
    payload,
  }
  return {
    connectionId: connection.id,
    timeoutMs: connection.timeoutMs,
    workflowName: definition.name,
    url: `${withoutSlash(baseUrl)}${definition.initialTriggerUrl.replaceAll('{processDefinitionKey}', key)}`,
    body: JSON.stringify({ ...withoutOwnMembers(metadata), ...own }),
  }
}

/** The request for an action of a reviewer (specification 4.8). Errors: `workflow_failed`. */
export async function actionRequest(
  call: Call,
  before: WorkflowRecord | null,
  { event, targetStep, comment, metadata = {} }: WorkflowInput,
): Promise<EngineRequest> {
  const info = before?.info
  const connection = before && (await call.store.records.get('workflowConnection', before.connectionId))
  const url = info?.nextActionUrl
  if (!info || !connection || url === undefined)
    throw workflowFailed('The connection to the engine was deleted.', before)
  // A workflow that has ended is no longer at a step.
  if (!isEnded(info)) await requireMayAct(call, { ...before, info })
  const { workflowInstanceId, workflowName } = info
  const own = { workflowInstanceId, action: event, targetStep, comment, user: call.identity.ref }
  return {
    connectionId: connection.id,
    timeoutMs: connection.timeoutMs,
    workflowName,
    url,
    body: JSON.stringify({ ...withoutOwnMembers(metadata), ...own }),
  }
}

/** Members of a request that metadata cannot set, both in a start and in other actions. */
const ownMembers: ReadonlySet<string> = new Set([
  'workflowInstanceId',
  'action',
  'targetStep',
  'comment',
  'user',
  'type',
  'callbackBaseUrl',
  'statusCallbackUrl',
  'payload',
])

function withoutOwnMembers(metadata: NonNullable<WorkflowInput['metadata']>): object {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !ownMembers.has(name)))
}
