import {
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type WorkflowDefinition,
} from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { pageOf } from '../call/paging.ts'
import { plainRecord, presentRecord, requireRecord, sentMembers } from '../call/records.ts'
import type { Stored, Transaction } from '../ports/index.ts'
import { securityEvent } from '../security/audit.ts'

type Definitions = Contract['workflowDefinitions']

/** All definitions: whoever may start a workflow somewhere sees what can be started. */
export async function listDefinitions(
  call: Call,
  input: ParsedOf<Definitions['list']>,
): Promise<OutputOf<Definitions['list']>> {
  const page = pageOf(await call.store.records.list('workflowDefinition'), input)
  return { ...page, items: page.items.map(plainRecord) }
}

/** One of them. Errors: `not_found`. */
export async function getDefinition(
  call: Call,
  { id }: ParsedOf<Definitions['get']>,
): Promise<Presented<WorkflowDefinition>> {
  return presentRecord<'workflowDefinition'>(await findDefinition(call, id))
}

/** Defines a workflow. Errors: `forbidden`, `name_taken`; `invalid` for a connection that there is not. */
export async function createDefinition(
  call: Call,
  given: ParsedOf<Definitions['create']>,
): Promise<Presented<WorkflowDefinition>> {
  requirePermission(call, 'admin.workflow.update')
  const { environment, now } = call
  const definition = { id: environment.ids.next('WFDF'), ...given, createdDate: now, updatedDate: now }
  return call.transaction((tx) => stored(call, tx, { definition, before: null }))
}

/** Changes what is sent. Errors: `forbidden`, `not_found`, `name_taken`, `precondition_failed`, `invalid`. */
export async function updateDefinition(
  call: Call,
  { id, ...patch }: ParsedOf<Definitions['update']>,
): Promise<Presented<WorkflowDefinition>> {
  requirePermission(call, 'admin.workflow.update')
  return call.transaction(async (tx) => {
    const before = await changeable(call, tx, id)
    const definition = { ...plainRecord(before), ...sentMembers(patch), updatedDate: call.now }
    return stored(call, tx, { definition, before })
  })
}

/** Deletes a definition that no repository starts by default. Errors: `forbidden`, `not_found`, `precondition_failed`, `referenced`. */
export async function deleteDefinition(
  call: Call,
  { id }: ParsedOf<Definitions['delete']>,
): Promise<undefined> {
  requirePermission(call, 'admin.workflow.update')
  return call.transaction(async (tx) => {
    const found = await changeable(call, tx, id)
    const all = await tx.records.list('repository')
    const users = all.filter(({ settings }) => settings.workflow.defaultWorkflowId === id)
    if (users.length > 0) {
      const repositories = users.map(({ name }) => name)
      const message = `It is the default of ${repositories.join(', ')}: give these another one first.`
      throw new QuireError('referenced', message, { details: { repositories } })
    }
    await tx.records.delete('workflowDefinition', id, found.revision)
    const change = { kind: 'workflowDefinition', id, before: plainRecord(found) } as const
    await tx.journal.record(securityEvent(call, 'WORKFLOW_DEFINITION_DELETED', change))
    return undefined
  })
}

/** Errors: `not_found`. */
async function findDefinition({ store }: Call, id: string): Promise<Stored<'workflowDefinition'>> {
  const found = await store.records.get('workflowDefinition', id)
  if (!found) throw new QuireError('not_found', `There is no workflow definition "${id}".`)
  return found
}

async function changeable(call: Call, tx: Transaction, id: string): Promise<Stored<'workflowDefinition'>> {
  const found = await findDefinition(within(call, tx), id)
  return requireRecord<'workflowDefinition'>(call, found, `workflow definition "${id}"`)
}

async function stored(
  call: Call,
  tx: Transaction,
  { definition, before }: { definition: WorkflowDefinition; before: Stored<'workflowDefinition'> | null },
): Promise<Presented<WorkflowDefinition>> {
  const { connectionId } = definition
  if (!(await tx.records.get('workflowConnection', connectionId)))
    throw invalid([{ path: 'connectionId', message: `There is no workflow connection "${connectionId}".` }])
  const kept = await tx.records.put('workflowDefinition', definition, before?.revision ?? 0)
  const event = before ? 'WORKFLOW_DEFINITION_UPDATED' : 'WORKFLOW_DEFINITION_CREATED'
  const change = { before: before && plainRecord(before), after: plainRecord(kept) }
  await tx.journal.record(securityEvent(call, event, { kind: 'workflowDefinition', id: kept.id, ...change }))
  return presentRecord<'workflowDefinition'>(kept)
}
