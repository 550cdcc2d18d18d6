import type { Api } from '@quire/contract'
import { fakeOutbound, scriptedEngine } from '@quire/core/memory'

/** Nothing answers there: what reviewers do is refused, and what the engine tells counts. */
const engineUrl = 'https://fuzz.invalid'

/** What callbacks of the prepared engine are known by. */
export const callbackSecrets = {
  apiKey: 'callback-key-of-the-fuzz',
  signingSecret: 'signing-secret-of-the-fuzz',
} as const

/** A package under review, and its instance in the engine. */
export interface KnownReview {
  readonly packageName: string
  readonly instance: string
}

/** What reviews need, and reviews that have begun. */
export interface PreparedReviews {
  readonly connection: string
  readonly definition: string
  readonly reviews: readonly KnownReview[]
}

/** An engine for the time before the server: it takes what is started. */
export const preparingEngine = fakeOutbound(scriptedEngine(undefined, engineUrl).answer)

// One callback in twenty or so ends a review.
const count = 12

/** Packages of a repository that are under review. */
export async function prepareReviews(api: Api, repositoryId: string): Promise<PreparedReviews> {
  const { id: connection } = await api.workflowConnections.create({
    name: 'Prepared',
    baseUrl: engineUrl,
    callbackBaseUrl: 'https://quire.example.com',
    auth: { kind: 'bearer', token: 'token-of-the-fuzz' },
    callback: callbackSecrets,
    timeoutMs: 500,
  })
  const { id: definition } = await api.workflowDefinitions.create({
    name: 'Prepared',
    connectionId: connection,
    initialTriggerUrl: '/start',
  })
  const workflow = { enabled: true, defaultWorkflowId: definition }
  await api.repositories.update({ id: repositoryId, settings: { workflow } })
  const reviews: KnownReview[] = []
  for (let index = 0; index < count; index++) {
    const packageName = `under-review ${index}`
    await api.packages.create({ repo: repositoryId, name: packageName })
    const { workflowInfo } = await api.workflow.event({ event: 'start', repositoryId, packageName })
    reviews.push({ packageName, instance: workflowInfo?.workflowInstanceId ?? '' })
  }
  return { connection, definition, reviews }
}
