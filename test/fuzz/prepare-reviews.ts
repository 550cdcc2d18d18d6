import type { Api } from '@quire/contract'
import { fakeOutbound, scriptedEngine } from '@quire/core/memory'

/** Nothing listens there: reviewers' actions fail, but callbacks work. */
const engineUrl = 'https://fuzz.invalid'

/** The secrets that authenticate callbacks of the prepared engine. */
export const callbackSecrets = {
  apiKey: 'callback-key-of-the-fuzz',
  signingSecret: 'signing-secret-of-the-fuzz',
} as const

/** A package under review, and its workflow instance in the engine. */
export interface KnownReview {
  readonly packageName: string
  readonly instance: string
}

/** Connections and workflows, and reviews in progress. */
export interface PreparedReviews {
  readonly connection: string
  readonly definition: string
  readonly reviews: readonly KnownReview[]
}

/** A fake engine that accepts starts before the server runs. */
export const preparingEngine = fakeOutbound(scriptedEngine(undefined, engineUrl).answer)

// About one callback in twenty ends a review.
const count = 12

/** Creates packages of a repository and starts their reviews. */
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
