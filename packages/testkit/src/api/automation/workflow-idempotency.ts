import type { Api, CallOptions } from '@quire/contract'
import { aConnection } from './workflow-steps.ts'

/** Everything of reviews that takes an Idempotency-Key, with one that was used for something else. */
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
