import {
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type WorkflowDefinition,
} from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call, type WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { recordsOf, type Put, plainRecord, sentMembers } from '../../engine/record-rules.ts'
import { auditEntry } from '../../people/audit.ts'

type Definitions = Contract['workflowDefinitions']

const records = recordsOf({
  kind: 'workflowDefinition',
  called: 'workflow definition',
  events: {
    created: 'WORKFLOW_DEFINITION_CREATED',
    updated: 'WORKFLOW_DEFINITION_UPDATED',
    deleted: 'WORKFLOW_DEFINITION_DELETED',
  },
  entry: auditEntry('workflowDefinition'),
})

/** All definitions: whoever may start a workflow somewhere sees what can be started. */
async function list(
  { store }: Call,
  input: ParsedOf<Definitions['list']>,
): Promise<OutputOf<Definitions['list']>> {
  return records.page(await store.records.list('workflowDefinition'), input)
}

/** One of them. Errors: `not_found`. */
async function get(
  call: Call,
  { id }: ParsedOf<Definitions['get']>,
): Promise<Serialized<WorkflowDefinition>> {
  return records.serialize(await records.find(call, id))
}

/** Defines a workflow. Errors: `forbidden`, `name_taken`; `invalid` for a connection that there is not. */
async function create(
  call: Call,
  given: ParsedOf<Definitions['create']>,
): Promise<Serialized<WorkflowDefinition>> {
  requirePermission(call, 'admin.workflow.update')
  const { environment, now } = call
  const after = { id: environment.ids.next('WFDF'), ...given, createdDate: now, updatedDate: now }
  return call.write((call) => put(call, { before: null, after }))
}

/** Changes what is sent. Errors: `forbidden`, `not_found`, `name_taken`, `precondition_failed`, `invalid`. */
async function update(
  call: Call,
  { id, ...patch }: ParsedOf<Definitions['update']>,
): Promise<Serialized<WorkflowDefinition>> {
  requirePermission(call, 'admin.workflow.update')
  return call.write(async (call) => {
    const before = await records.require(call, id)
    const after = { ...plainRecord(before), ...sentMembers(patch), updatedDate: call.now }
    return put(call, { before, after })
  })
}

/** Deletes a definition that no repository starts by default. Errors: `forbidden`, `not_found`, `precondition_failed`, `referenced`. */
async function remove(call: Call, { id }: ParsedOf<Definitions['delete']>): Promise<undefined> {
  requirePermission(call, 'admin.workflow.update')
  return call.write(async (call) => {
    const found = await records.require(call, id)
    const all = await call.store.records.list('repository')
    const users = all.filter(({ settings }) => settings.workflow.defaultWorkflowId === id)
    if (users.length > 0) {
      const repositories = users.map(({ name }) => name)
      const message = `It is the default of ${repositories.join(', ')}: give these another one first.`
      throw new QuireError('referenced', message, { details: { repositories } })
    }
    return records.remove(call, found)
  })
}

async function put(
  call: WriteCall,
  change: Put<'workflowDefinition'>,
): Promise<Serialized<WorkflowDefinition>> {
  const { connectionId } = change.after
  if (!(await call.store.records.get('workflowConnection', connectionId)))
    throw invalid([{ path: 'connectionId', message: `There is no workflow connection "${connectionId}".` }])
  return records.serialize(await records.put(call, change))
}

/** Workflows that can be started. */
export const workflowDefinitions = { list, get, create, update, delete: remove }
