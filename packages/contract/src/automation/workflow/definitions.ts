import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { crud, patchOf } from '../../crud.ts'
import { definitionMembers, WorkflowDefinition } from './definition-shapes.ts'
import { exampleDefinition } from './examples.ts'

const { processDefinitionKey, description, ...required } = definitionMembers

/** Workflows that can be started. */
export const workflowDefinitions = crud({
  path: '/api/admin/workflow/definitions',
  on: { id: Id.describe('The definition') },
  one: 'a workflow definition',
  many: 'workflow definitions',
  view: { key: ['admin.workflow.view', 'workflow.start'], on: 'each' },
  write: { key: 'admin.workflow.update', on: 'global' },
  output: WorkflowDefinition,
  at: { id: exampleDefinition.id },
  example: exampleDefinition,
  create: {
    summary: 'Define a workflow',
    input: z.strictObject({
      ...required,
      processDefinitionKey: processDefinitionKey.default(null),
      description: description.default(''),
    }),
    example: {
      name: exampleDefinition.name,
      connectionId: exampleDefinition.connectionId,
      processDefinitionKey: exampleDefinition.processDefinitionKey,
      initialTriggerUrl: exampleDefinition.initialTriggerUrl,
    },
  },
  update: {
    description: 'Workflows that are already running are not affected.',
    input: patchOf(definitionMembers),
    example: { description: 'Two steps' },
  },
  delete: {
    description:
      '409 `referenced` while it is the default of a repository. Workflows that are already running continue.',
    errors: ['not_found', 'referenced', 'precondition_failed'],
  },
})
