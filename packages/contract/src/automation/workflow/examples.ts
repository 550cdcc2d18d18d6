import { examplePackage } from '../../branches/packages/examples.ts'
import type { WorkflowConnection } from './connection-shapes.ts'
import type { WorkflowDefinition } from './definition-shapes.ts'
import type { Review, WorkflowInfo } from './shapes.ts'

/** A connection to an engine that takes a bearer token. */
export const exampleConnection: WorkflowConnection = {
  id: 'CONN_01JB2QK1M3N5P7R9T1V3X5Z7B9',
  name: 'Review engine',
  baseUrl: 'https://engine.example.com',
  callbackBaseUrl: 'https://quire.example.com',
  auth: { kind: 'bearer', token: '***' },
  callback: { apiKey: null, signingSecret: '***' },
  allowedOrigins: [],
  timeoutMs: 10_000,
  createdDate: 1_790_001_000_000,
  updatedDate: 1_790_001_000_000,
}

/** The definition of a review in two steps. */
export const exampleDefinition: WorkflowDefinition = {
  id: 'WFDF_01JB2QK1M3N5P7R9T1V3X5Z7C1',
  name: 'Two-step review',
  connectionId: exampleConnection.id,
  processDefinitionKey: 'two-step-review',
  initialTriggerUrl: '/start/{processDefinitionKey}',
  description: '',
  createdDate: 1_790_001_000_000,
  updatedDate: 1_790_001_000_000,
}

const editor = examplePackage.createdByUser

/** A review that has just started. */
export const exampleInfo: WorkflowInfo = {
  workflowName: exampleDefinition.name,
  workflowInstanceId: 'two-step-review-41',
  currentStep: 'editorial',
  status: 'active',
  nextActionUrl: 'https://engine.example.com/instances/two-step-review-41/actions',
  startedAt: 1_790_001_000,
  steps: [
    {
      name: 'editorial',
      label: 'Editorial review',
      allowedActions: ['approve', 'reject', 'cancel'],
      assignedGroups: ['GRUP_01JB2Q5A7C9E1G3J5M7P9R1T3V'],
    },
    {
      name: 'legal',
      label: 'Legal review',
      allowedActions: ['approve', 'reject', 'route', 'cancel'],
      assignedGroups: [],
    },
  ],
  history: [
    {
      timestamp: 1_790_001_000_000,
      action: 'start',
      fromStep: null,
      toStep: 'editorial',
      user: editor,
      externalReference: 'two-step-review-41',
    },
  ],
}

/** The package under review, with its review. */
export const exampleReview: Review = {
  package: { ...examplePackage, state: 'inReview' },
  workflowInfo: exampleInfo,
}
