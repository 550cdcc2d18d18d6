import type { Targets } from '../targets.ts'
import { createPackage } from '../things.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about the review of packages. */
export const workflow: InputMakers<'workflow'> = {
  event: async (at) => ({ event: 'start', ...(await reviewable(at)) }),
  // No principal is an engine, and a token does not authenticate one.
  status: async (at) => ({
    ...(await underReview(at)),
    apiKey: 'a-key-of-no-connection',
    workflowInstanceId: 'instance-1',
    currentStep: 'review',
    status: 'active',
  }),
  get: async (at) => {
    const { repositoryId, packageName } = await underReview(at)
    return { repo: repositoryId, packageName }
  },
  inbox: async (at) => {
    const { repositoryId } = await underReview(at)
    return { repo: repositoryId, limit: 3 }
  },
}

/** Requests about connections to workflow engines. */
export const workflowConnections: InputMakers<'workflowConnections'> = {
  list: () => ({ limit: 3 }),
  get: onConnection,
  create: newConnection,
  update: async (at) => ({ ...(await onConnection(at)), timeoutMs: 5000 }),
  delete: onConnection,
  test: onConnection,
}

/** Requests about workflows that can be started. */
export const workflowDefinitions: InputMakers<'workflowDefinitions'> = {
  list: () => ({ limit: 3 }),
  get: onDefinition,
  create: newDefinition,
  update: async (at) => ({ ...(await onDefinition(at)), description: 'Changed' }),
  delete: onDefinition,
}

function newConnection({ word }: Targets) {
  const callback = { apiKey: 'a-key-of-the-matrix' }
  return {
    name: word('Engine'),
    baseUrl: 'https://engine.example.com',
    callbackBaseUrl: 'https://quire.example.com',
    callback,
  }
}

async function onConnection(at: Targets) {
  const { id } = await at.system.workflowConnections.create(newConnection(at))
  return { id }
}

async function newDefinition(at: Targets) {
  const { id: connectionId } = await onConnection(at)
  return { name: at.word('Review'), connectionId, initialTriggerUrl: '/start' }
}

async function onDefinition(at: Targets) {
  const { id } = await at.system.workflowDefinitions.create(await newDefinition(at))
  return { id }
}

/** A package in a repository with reviews enabled, and a workflow that can be started. */
async function reviewable(at: Targets) {
  const { repo: repositoryId, packageName } = await createPackage(at)
  const { id: workflowId } = await onDefinition(at)
  return { repositoryId, packageName, workflowId }
}

async function underReview(at: Targets) {
  const { repositoryId, packageName, workflowId } = await reviewable(at)
  const on = { repositoryId, packageName }
  await at.system.workflow.event({ event: 'start', ...on, workflowId })
  return on
}
