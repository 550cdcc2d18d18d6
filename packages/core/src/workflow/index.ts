export * as workflow from './operations.ts'
export * as workflowConnections from './connection-operations.ts'
export * as workflowDefinitions from './definition-operations.ts'
