import { z } from 'zod'
import { Id, listInput, listOf } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'
import { definitionMembers, WorkflowDefinition } from './definition-shapes.ts'
import { exampleDefinition } from './examples.ts'

const onDefinition = { id: Id.describe('The definition') }
const example = { id: exampleDefinition.id }
const { processDefinitionKey, description, ...required } = definitionMembers

/** Workflows that can be started. */
export const workflowDefinitions = {
  list: endpoint({
    binding: 'GET /api/admin/workflow/definitions',
    summary: 'List workflow definitions',
    permission: ['admin.workflow.view', 'workflow.start'],
    input: z.strictObject({ limit: listInput.limit, cursor: listInput.cursor }),
    output: listOf(WorkflowDefinition),
    errors: [],
    example: { input: {}, output: { count: 1, items: [exampleDefinition] } },
  }),
  get: endpoint({
    binding: 'GET /api/admin/workflow/definitions/{id}',
    summary: 'Read a workflow definition',
    permission: ['admin.workflow.view', 'workflow.start'],
    input: z.strictObject(onDefinition),
    output: WorkflowDefinition,
    errors: ['not_found'],
    example: { input: example, output: exampleDefinition },
  }),
  create: endpoint({
    binding: 'POST /api/admin/workflow/definitions',
    summary: 'Define a workflow',
    permission: 'admin.workflow.update',
    input: z.strictObject({
      ...required,
      processDefinitionKey: processDefinitionKey.default(null),
      description: description.default(''),
    }),
    output: WorkflowDefinition,
    success: 201,
    errors: ['name_taken', 'idempotency_mismatch'],
    example: {
      input: {
        name: exampleDefinition.name,
        connectionId: exampleDefinition.connectionId,
        processDefinitionKey: exampleDefinition.processDefinitionKey,
        initialTriggerUrl: exampleDefinition.initialTriggerUrl,
      },
      output: exampleDefinition,
    },
  }),
  update: endpoint({
    binding: 'PATCH /api/admin/workflow/definitions/{id}',
    summary: 'Change a workflow definition',
    description: 'What was started before goes on as it was.',
    permission: 'admin.workflow.update',
    input: z.strictObject({ ...onDefinition, ...z.object(definitionMembers).partial().shape }),
    output: WorkflowDefinition,
    errors: ['not_found', 'name_taken', 'precondition_failed'],
    example: {
      input: { ...example, description: 'Two steps' },
      output: { ...exampleDefinition, description: 'Two steps' },
    },
  }),
  delete: endpoint({
    binding: 'DELETE /api/admin/workflow/definitions/{id}',
    summary: 'Delete a workflow definition',
    description:
      'Not while a repository has it as its default: 409 `referenced`. What was started before goes on.',
    permission: 'admin.workflow.update',
    input: z.strictObject(onDefinition),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'referenced', 'precondition_failed'],
    example: { input: example },
  }),
}
