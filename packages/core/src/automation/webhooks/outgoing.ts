import type { Webhook } from '@quire/contract'
import type { JsonObject } from '../../ports/index.ts'

/** A webhook as a delivery needs it, its secrets open: the values of its headers, and what it signs with. */
export interface OutgoingWebhook extends Readonly<
  Pick<
    Webhook,
    | 'id'
    | 'repositoryId'
    | 'name'
    | 'enabled'
    | 'url'
    | 'events'
    | 'types'
    | 'payloadSize'
    | 'template'
    | 'headers'
    | 'mapping'
    | 'includeText'
  >
> {
  /** `whsec_` and 24 to 64 bytes in base64; null: deliveries are not signed. */
  readonly secret: string | null
}

/**
 * What payloads and templates see of a webhook (specification 6.4): these members and no others, so that what is added to it later is not
 * sent. Of headers the names alone; neither secret nor template, in which a token may stand; and no url: specification 2.16 does not
 * count it among the members, its query and often its path are a secret, and who is sent the body knows it (TRUST S25).
 */
export function serializeOutgoing(webhook: OutgoingWebhook): JsonObject {
  const { id, repositoryId, name, enabled, events, types, payloadSize, mapping, includeText } = webhook
  const headers = webhook.headers.map((header) => ({ name: header.name }))
  return { id, repositoryId, name, enabled, events, types, payloadSize, headers, mapping, includeText }
}

/** Why an event cannot be sent to a webhook. */
type DeliveryProblem = 'too large' | 'invalid header'

/** A delivery that cannot be sent, however often it is tried. The message is for the log of deliveries: it begins with the problem and holds no value. */
export class UnsendableDelivery extends Error {
  override readonly name = 'UnsendableDelivery'
  readonly problem: DeliveryProblem
  constructor(problem: DeliveryProblem, message: string) {
    super(`${problem}: ${message}`)
    this.problem = problem
  }
}
