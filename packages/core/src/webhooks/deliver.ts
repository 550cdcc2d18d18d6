import pLimit, { type LimitFunction } from 'p-limit'
import { remember, type Call } from '../call/call.ts'
import { JobFailed, type Doing, type JobHandler } from '../call/job-handler.ts'
import {
  OutboundFailure,
  type Job,
  type JsonObject,
  type OutboundAnswer,
  type Stored,
} from '../ports/index.ts'
import { keptIn, payloadOf, testEvent, type DeliveryPayload, type DeliveryResult } from './deliveries.ts'
import { textOf } from './event-data.ts'
import { itemData } from './item-data.ts'
import { UnsendableDelivery, type OutgoingWebhook } from './outgoing.ts'
import { deliveryRequest } from './request.ts'
import { opened } from './stored.ts'

/** TRUST 4.2, "Webhook". A slow target holds its own places alone: the others go on. */
const outward = { connectMs: 3000, totalMs: 10_000, maxAnswerBytes: 64 * 1024 }
const placesOfAll = 32
const placesOfHost = 4

/** Characters of an answer that the log keeps. */
const keptOfAnswer = 4096

/** Posts deliveries: each once, at most four at a time to one host. */
export function createDelivering(): JobHandler {
  const hosts = new Map<string, LimitFunction>()
  let taken = 0
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    taken += 1
    try {
      return await work()
    } finally {
      taken -= 1
    }
  }
  const atHost = async <T>(host: string, work: () => Promise<T>): Promise<T> => {
    const limit = hosts.get(host) ?? pLimit(placesOfHost)
    hosts.set(host, limit)
    try {
      return await limit(() => counted(work))
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) hosts.delete(host)
    }
  }
  return {
    places: placesOfAll,
    taken: () => taken,
    each: placesOfHost / 2,
    except: fullHosts,
    lost: 'The process that sent it ended before the answer was kept: whether it arrived is not known.',
    run: async (job, { call, signal }) => {
      const found = await foundFor(call, job).catch(untried)
      return atHost(hostOf(found.webhook.url), () => deliver({ call, signal }, found))
    },
  }
}

/** The webhooks of hosts that have all their deliveries under way: what else is queued for them waits in the queue. */
async function fullHosts(call: Call, underWay: readonly Job[]): Promise<readonly string[]> {
  if (underWay.length === 0) return []
  const all = await call.store.records.list('webhook')
  const byHost = Map.groupBy(all, ({ url }) => hostOf(url))
  return [...byHost.values()].flatMap((group) => {
    const ids = new Set(group.map(({ id }) => id))
    const busy = underWay.filter(({ subject }) => ids.has(subject)).length
    return busy >= placesOfHost ? [...ids] : []
  })
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}

interface Found {
  readonly job: Job
  readonly webhook: Stored<'webhook'>
  readonly payload: DeliveryPayload
}

/** Errors: JobFailed when it is not to be sent any more. */
async function foundFor({ store }: Call, job: Job): Promise<Found> {
  const webhook = await store.records.get('webhook', job.subject)
  const payload = payloadOf(job)
  if (!webhook) throw new JobFailed('The webhook was deleted before this was sent.')
  if (!webhook.enabled && payload.event !== testEvent)
    throw new JobFailed('The webhook was disabled before this was sent.')
  return { job, webhook, payload }
}

/** One attempt. Errors: JobFailed with what came of it, unless the answer was a 2xx. */
async function deliver(
  { call, signal }: Pick<Doing, 'call' | 'signal'>,
  found: Found,
): Promise<DeliveryResult & { [member: string]: string | number | null }> {
  const { outbound } = call.environment
  const made = await requestOf(call, found).catch(untried)
  const started = performance.now()
  const request = { url: found.webhook.url, method: 'POST', ...made, ...outward, signal }
  const answer = await outbound.send(request).catch((error: unknown) => {
    throw failed(error, Math.round(performance.now() - started))
  })
  const result = resultOf(answer, Math.round(performance.now() - started))
  if (answer.status >= 200 && answer.status <= 299) return result
  throw new JobFailed(`It was answered with ${answer.status}: only 2xx means that it was taken.`, { result })
}

/** What is posted. Errors: JobFailed when it cannot be made of what is kept. */
async function requestOf(call: Call, { job, webhook, payload: { event, entityId } }: Found) {
  const outgoing = await remember(call, `webhook:${webhook.id}`, () => outgoingOf(call, webhook))
  const { id, repositoryId } = job
  const text = await textOf(call, { repositoryId, id: entityId }, keptIn(job))
  const data = await withText(call, outgoing, text)
  const sentAt = call.environment.clock.now()
  return deliveryRequest({ id, event, data, webhook: outgoing, sentAt }).catch(unsendable)
}

/** Nothing was sent yet: who could not read what to send tries it again. */
function untried(error: unknown): never {
  if (error instanceof JobFailed) throw error
  const message = 'What is to be sent could not be read: the log says why, under the id of the job.'
  throw new JobFailed(message, { isUntried: true, cause: error })
}

function unsendable(error: unknown): never {
  throw error instanceof UnsendableDelivery ? new JobFailed(error.message, { cause: error }) : error
}

function failed(error: unknown, ms: number): unknown {
  if (!(error instanceof OutboundFailure)) return error
  return new JobFailed(error.message, { result: { status: null, ms, answer: null }, cause: error })
}

function resultOf({ status, body }: OutboundAnswer, ms: number) {
  return { status, ms, answer: new TextDecoder().decode(body.subarray(0, keptOfAnswer)) }
}

async function outgoingOf({ environment }: Call, webhook: Stored<'webhook'>): Promise<OutgoingWebhook> {
  const { sealedSecret, headers, ...said } = webhook
  return {
    ...said,
    headers: await Promise.all(
      headers.map(async ({ name, sealedValue }) => ({ name, value: await opened(environment, sealedValue) })),
    ),
    secret: sealedSecret === null ? null : await opened(environment, sealedSecret),
  }
}

/** The data, with the text of its file where the webhook wants that. */
async function withText(
  { store }: Call,
  { includeText }: OutgoingWebhook,
  text: string,
): Promise<JsonObject> {
  const data: JsonObject = JSON.parse(text)
  const asset = data['asset']
  if (!includeText || typeof asset !== 'object' || asset === null || !('hash' in asset)) return data
  const { hash } = asset
  if (typeof hash !== 'string') return data
  return itemData(data, { includeText, text: await store.texts.get(hash) })
}
