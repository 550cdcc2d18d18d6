import type { Api, CallOptions } from '@quire/contract'
import { aConnection } from './workflow-steps.ts'

/**
 * All writes of reviews that accept an Idempotency-Key, with a key that was used for another
 * request.
 */
export function writesOfWorkflow(
  { workflow, workflowConnections, workflowDefinitions }: Api,
  options: CallOptions,
): Promise<unknown>[] {
  const definition = { name: 'Once', connectionId: 'CONN_1', initialTriggerUrl: '/start' }
  return [
    workflow.event({ event: 'start', repositoryId: 'magazine', packageName: 'once' }, options),
    workflowConnections.create(aConnection('Once'), options),
    workflowDefinitions.create(definition, options),
  ]
}
