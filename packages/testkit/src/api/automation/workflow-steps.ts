import type { Api, Package, WorkflowEvent, WorkflowOutcome } from '@quire/contract'
import { systemIdentity } from '@quire/core'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { inPackage, newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { registerIn } from '../people/registered.ts'

const repositoryId = 'magazine'

/** The address of the fake engine: see `fakeTargets`. */
export const engineUrl = 'https://engine.example.com'

/** The key by which callbacks of a new connection's engine are authenticated. */
export const callbackKey = 'callback-key-of-the-suite'

/** The secret with which a new connection's engine signs. */
export const signingSecret = 'signing-secret-of-the-suite'

type NewConnection = Parameters<Api['workflowConnections']['create']>[0]

/** The input for a connection to the fake engine. */
export function aConnection(name: string): NewConnection {
  return {
    name,
    baseUrl: engineUrl,
    callbackBaseUrl: 'https://quire.example.com',
    auth: { kind: 'bearer', token: 'token-of-the-suite' },
    callback: { apiKey: callbackKey, signingSecret },
  }
}

/**
 * Prepares the magazine with reviews by the fake engine, in two steps by default. Returns the
 * connection and the definition.
 */
export async function prepareReviews(api: Api) {
  await prepareMagazine(api)
  const { id: connectionId } = await api.workflowConnections.create(aConnection('Review engine'))
  const { id: definitionId } = await api.workflowDefinitions.create({
    name: 'Two-step review',
    connectionId,
    processDefinitionKey: 'two-step',
    initialTriggerUrl: '/start/{processDefinitionKey}',
  })
  const workflow = { enabled: true, defaultWorkflowId: definitionId }
  await api.repositories.update({ id: repositoryId, settings: { workflow } })
  return { connectionId, definitionId }
}

let defined = 0

/**
 * Creates a workflow definition that the engine starts at this path; by default with the first
 * connection.
 */
export async function definedAt(api: Api, initialTriggerUrl: string, connection?: string) {
  const connectionId = connection ?? (await api.workflowConnections.list()).items[0]?.id ?? ''
  return api.workflowDefinitions.create({ name: `Workflow ${++defined}`, connectionId, initialTriggerUrl })
}

/** Identifies a package under review. */
export interface Reviewed {
  readonly repositoryId: string
  readonly packageName: string
}

/** A new package that changes a new article. */
export async function aDraft(api: Api) {
  const article = await api.items.create(anArticle({ name: 'Reviewed', fields: { title: 'Reviewed' } }))
  const { packageName } = await newPackage(api)
  await api.items.update({ ...inPackage(article, packageName), description: 'Changed' })
  const on: Reviewed = { repositoryId, packageName }
  return { on, article }
}

type EventInput = Omit<Parameters<Api['workflow']['event']>[0], 'event' | keyof Reviewed>

/** Performs an action in a review. */
export function act(
  api: Api,
  event: WorkflowEvent,
  { on, ...given }: { readonly on: Reviewed } & EventInput,
): Promise<WorkflowOutcome> {
  return api.workflow.event({ event, ...on, ...given })
}

/** A new package under review. */
export async function underReview(api: Api, given: EventInput = {}) {
  const draft = await aDraft(api)
  const { workflowInfo } = await act(api, 'start', { on: draft.on, ...given })
  return { ...draft, instance: workflowInfo?.workflowInstanceId ?? '' }
}

/** The state of a review; null when there is none. */
export async function infoOf(api: Api, { repositoryId: repo, packageName }: Reviewed) {
  return (await api.workflow.get({ repo, packageName })).workflowInfo
}

export function packageOf(api: Api, { repositoryId: repo, packageName }: Reviewed): Promise<Package> {
  return api.packages.get({ repo, packageName })
}

/** Advances the time and runs everything that is then due. */
export async function later(bench: Bench, ms: number): Promise<void> {
  const { scope } = bench
  scope.clock.advance(ms)
  // Queuing something makes the service look for due jobs.
  const { id } = await registerIn({ ...bench, api: bench.system }, { name: 'Wakes the queue' })
  await scope.quire.as(systemIdentity('later')).webhooks.test({ id })
  await scope.quire.settled()
  // Otherwise it would be notified of the test's next actions.
  await bench.system.webhooks.delete({ id })
}

/**
 * The signature of a callback as an engine makes it. Implemented again here, so that it is not
 * compared with our own code.
 */
export async function signedBy(
  secret: string,
  { at, body }: { readonly at: number; readonly body: string },
): Promise<string> {
  const encoder = new TextEncoder()
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hash, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`${at}.${body}`))
  const hex = Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `t=${at},v1=${hex}`
}
