import { z } from 'zod'
import { Description, Id, Name, UnixMs } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** The members of a definition that a caller can set (specification 2.15). */
export const definitionMembers = {
  name: Name.describe('Unique name; `workflowName` of the workflows it starts'),
  connectionId: Id.describe('The connection to the engine'),
  processDefinitionKey: z
    .string()
    .min(1)
    .max(limits.name)
    .nullable()
    .describe(
      'Key of the process in the engine; it replaces `{processDefinitionKey}` in `initialTriggerUrl`',
    ),
  initialTriggerUrl: z
    .string()
    .max(2000)
    .regex(/^\/[^\s\\#]*$/, 'must begin with / and contain no space, \\ or #')
    .describe('Path that starts a workflow; it is appended to `baseUrl` of the connection'),
  description: Description,
}

/** A workflow that can be started (specification 2.15). */
export const WorkflowDefinition = z
  .object({ id: Id, ...definitionMembers, createdDate: UnixMs, updatedDate: UnixMs })
  .meta({ id: 'WorkflowDefinition', description: 'A workflow that can be started (specification 2.15)' })

/** A workflow that can be started. */
export type WorkflowDefinition = z.output<typeof WorkflowDefinition>
