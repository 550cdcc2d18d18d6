import type { JsonObject } from '../ports/index.ts'
import { customHeaders, type Header } from './headers.ts'
import { deliveredData } from './item-data.ts'
import type { OutgoingWebhook } from './outgoing.ts'
import { bodyOf } from './payload.ts'
import { signature } from './sign.ts'

/** An event on its way to a webhook. */
export interface OutgoingDelivery {
  /** The same at every look at this delivery: receivers tell by it what they had before. */
  readonly id: string
  readonly event: string
  /** The item, folder or site that the event is about. */
  readonly data: JsonObject
  readonly webhook: OutgoingWebhook
  /** Unix ms. */
  readonly sentAt: number
}

/** What is posted. */
interface DeliveryRequest {
  readonly headers: readonly Header[]
  readonly body: string | null
}

/**
 * The headers and the body of a delivery's POST (specification 6.3, 6.4; Standard Webhooks). Its type is said to be JSON even where there is
 * no body: 6.3.1 makes no exception. Id and timestamp are sent unsigned too. Errors: UnsendableDelivery.
 */
export async function deliveryRequest(delivery: OutgoingDelivery): Promise<DeliveryRequest> {
  const { id, event, data, webhook, sentAt } = delivery
  const delivered = deliveredData(data, webhook)
  const headers: Header[] = [
    ['content-type', 'application/json'],
    ['user-agent', 'Quire-Webhooks'],
    ['webhook-id', id],
    ['webhook-timestamp', timestampOf(sentAt)],
    ...customHeaders(webhook.headers, delivered),
  ]
  return signed(delivery, { headers, body: bodyOf(event, delivered, webhook) })
}

/** A request with its signature where its webhook has a secret. */
async function signed(
  { id, webhook, sentAt }: OutgoingDelivery,
  request: DeliveryRequest,
): Promise<DeliveryRequest> {
  if (webhook.secret === null) return request
  const what = { id, timestamp: timestampOf(sentAt), body: request.body ?? '' }
  const header: Header = ['webhook-signature', await signature(webhook.secret, what)]
  return { ...request, headers: [...request.headers, header] }
}

/** Unix seconds. */
function timestampOf(sentAt: number): string {
  return String(Math.floor(sentAt / 1000))
}
