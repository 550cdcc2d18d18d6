import { z } from 'zod'
import { Description, Id, Name, UnixMs } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** What a definition is made of (specification 2.15). */
export const definitionMembers = {
  name: Name.describe('Its name, unique; `workflowName` of what it starts'),
  connectionId: Id.describe('The connection to the engine'),
  processDefinitionKey: z
    .string()
    .min(1)
    .max(limits.name)
    .nullable()
    .describe(
      'The process in the engine; stands in `initialTriggerUrl` where that has `{processDefinitionKey}`',
    ),
  initialTriggerUrl: z
    .string()
    .max(2000)
    .regex(/^\/[^\s\\#]*$/, 'must begin with / and hold no blank, \\ or #')
    .describe('Where a workflow is started: a path, which is put behind `baseUrl` of the connection'),
  description: Description,
}

/** A workflow that can be started (specification 2.15). */
export const WorkflowDefinition = z
  .object({ id: Id, ...definitionMembers, createdDate: UnixMs, updatedDate: UnixMs })
  .meta({ id: 'WorkflowDefinition', description: 'A workflow that can be started (specification 2.15)' })

/** A workflow that can be started. */
export type WorkflowDefinition = z.output<typeof WorkflowDefinition>
