import {
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type WorkflowDefinition,
} from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { type Call, type WriteCall } from '../../engine/call.ts'
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

/** All definitions. Anyone who may start a workflow in some repository sees them. */
async function list(
  { store }: Call,
  input: ParsedOf<Definitions['list']>,
): Promise<OutputOf<Definitions['list']>> {
  return records.page(await store.records.list('workflowDefinition'), input)
}

/** Errors: `not_found`. */
async function get(
  call: Call,
  { id }: ParsedOf<Definitions['get']>,
): Promise<Serialized<WorkflowDefinition>> {
  return records.serialize(await records.find(call, id))
}

/** Creates a definition. Errors: `forbidden`, `name_taken`; `invalid` for an unknown connection. */
async function create(
  call: Call,
  given: ParsedOf<Definitions['create']>,
): Promise<Serialized<WorkflowDefinition>> {
  const { environment, now } = call
  const after = { id: environment.ids.next('WFDF'), ...given, createdDate: now, updatedDate: now }
  return call.write((call) => put(call, { before: null, after }))
}

/**
 * Changes the given members. Errors: `forbidden`, `not_found`, `name_taken`, `precondition_failed`,
 * `invalid`.
 */
async function update(
  call: Call,
  { id, ...patch }: ParsedOf<Definitions['update']>,
): Promise<Serialized<WorkflowDefinition>> {
  return call.write(async (call) => {
    const before = await records.require(call, id)
    const after = { ...plainRecord(before), ...sentMembers(patch), updatedDate: call.now }
    return put(call, { before, after })
  })
}

/**
 * Deletes a definition. Errors: `forbidden`, `not_found`, `precondition_failed`; `referenced` if it
 * is the default of a repository.
 */
async function remove(call: Call, { id }: ParsedOf<Definitions['delete']>): Promise<undefined> {
  return call.write(async (call) => {
    const found = await records.require(call, id)
    const all = await call.store.records.list('repository')
    const users = all.filter(({ settings }) => settings.workflow.defaultWorkflowId === id)
    if (users.length > 0) {
      const repositories = users.map(({ name }) => name)
      const message = `The workflow is the default of ${repositories.join(', ')}. Change the default there first.`
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

export const workflowDefinitions = { list, get, create, update, delete: remove }
