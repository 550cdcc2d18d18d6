// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { EndlessListOf, ListOf } from './lists.ts'

/**
 * The operations of `webhooks`. The administration of the service: search indexes, webhooks, access
 * configurations, settings, health.
 */
export interface WebhooksApi {
  /**
   * List webhooks.
   *
   * `GET /api/admin/webhooks`.
   * Permission: `admin.webhooks.view`.
   *
   * @param input.repositoryId - Only webhooks of this repository.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: WebhooksListInput, options?: CallOptions) => Promise<ListOf<Webhook>>

  /**
   * Read a webhook.
   *
   * `GET /api/admin/webhooks/{id}`.
   * Permission: `admin.webhooks.view`.
   *
   * @param input.id - The webhook.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: WebhooksGetInput, options?: CallOptions) => Promise<Webhook>

  /**
   * Register a webhook.
   *
   * Each matching event becomes one delivery: a POST that is attempted once. A webhook receives its
   * events from the whole repository, whatever its creator may read.
   *
   * `POST /api/admin/webhooks`.
   * Permission: `admin.webhooks.update`.
   *
   * @param input.repositoryId - A repository's id or name.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.url - URL that deliveries are posted to: http or https, without credentials, on a
   *   public address.
   * @param input.events - The events that trigger it (specification 6.1).
   * @param input.enabled - Whether events trigger it.
   * @param input.types - Names of the content types that trigger it; empty: all.
   * @param input.payloadSize - The body of a delivery (specification 6.4): full: everything; basic:
   *   the essentials; custom: the template; none: no body.
   * @param input.template - For `custom`: JSON whose texts can contain `{{path}}`, a path into `{
   *   event, data, webhook }`. If it is null or not JSON, the full payload is sent.
   * @param input.headers - Headers of each delivery. Values are secrets: responses show them as `***`,
   *   and sending `***` keeps the current value.
   * @param input.mapping - For `full` and `basic`: additional members of the body, each with the path
   *   of its value in the item.
   * @param input.includeText - Whether `data` of an asset includes the text of its file.
   * @param input.secret - Signs deliveries as defined by Standard Webhooks: `whsec_` and 24 to 64
   *   bytes in base64. Never shown: responses have `***`, and sending `***` keeps the current secret;
   *   null: not signed.
   * @throws `not_found` - Not found.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: WebhooksCreateInput, options?: CallOptions) => Promise<Webhook>

  /**
   * Change a webhook.
   *
   * Only the members that are sent change; lists and `mapping` are replaced as a whole. Queued
   * deliveries are sent with the settings at the time they are sent.
   *
   * `PATCH /api/admin/webhooks/{id}`.
   * Permission: `admin.webhooks.update`.
   *
   * @param input.id - The webhook.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.enabled - Whether events trigger it.
   * @param input.url - URL that deliveries are posted to: http or https, without credentials, on a
   *   public address.
   * @param input.events - The events that trigger it (specification 6.1).
   * @param input.types - Names of the content types that trigger it; empty: all.
   * @param input.payloadSize - The body of a delivery (specification 6.4): full: everything; basic:
   *   the essentials; custom: the template; none: no body.
   * @param input.template - For `custom`: JSON whose texts can contain `{{path}}`, a path into `{
   *   event, data, webhook }`. If it is null or not JSON, the full payload is sent.
   * @param input.headers - Headers of each delivery. Values are secrets: responses show them as `***`,
   *   and sending `***` keeps the current value.
   * @param input.mapping - For `full` and `basic`: additional members of the body, each with the path
   *   of its value in the item.
   * @param input.includeText - Whether `data` of an asset includes the text of its file.
   * @param input.secret - Signs deliveries as defined by Standard Webhooks: `whsec_` and 24 to 64
   *   bytes in base64. Never shown: responses have `***`, and sending `***` keeps the current secret;
   *   null: not signed.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly update: (input: WebhooksUpdateInput, options?: CallOptions) => Promise<Webhook>

  /**
   * Delete a webhook.
   *
   * Its queued deliveries are not sent.
   *
   * `DELETE /api/admin/webhooks/{id}`.
   * Permission: `admin.webhooks.update`.
   *
   * @param input.id - The webhook.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: WebhooksDeleteInput, options?: CallOptions) => Promise<undefined>

  /**
   * Send a test delivery.
   *
   * Sends an event `TEST` about an item that does not exist, like any other delivery, even if the
   * webhook is disabled.
   *
   * `POST /api/admin/webhooks/{id}/test`.
   * Permission: `admin.webhooks.update`.
   *
   * @param input.id - The webhook.
   * @throws `not_found` - Not found.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly test: (input: WebhooksTestInput, options?: CallOptions) => Promise<Delivery>

  /**
   * List the deliveries of a webhook, newest first.
   *
   * Deliveries are kept for 30 days, or for as long as the settings say.
   *
   * `GET /api/admin/webhooks/{id}/deliveries`.
   * Permission: `admin.webhooks.view`.
   *
   * @param input.id - The webhook.
   * @param input.state - Only deliveries in this state.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly deliveries: (input: WebhooksDeliveriesInput, options?: CallOptions) => Promise<EndlessListOf<Delivery>>

  /**
   * Deliver an event again.
   *
   * Creates a new delivery of the same event and data, with the current settings of the webhook. The
   * webhook must be enabled, otherwise 409 `invalid_state`. The delivery fails if the item has been
   * purged since.
   *
   * `POST /api/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver`.
   * Permission: `admin.webhooks.update`.
   *
   * @param input.id - The webhook.
   * @param input.deliveryId - The delivery to repeat.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly redeliver: (input: WebhooksRedeliverInput, options?: CallOptions) => Promise<Delivery>
}

/** A webhook (specification 2.16); its secrets are not shown */
export interface Webhook {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** Whether events trigger it */
  enabled: boolean
  /** URL that deliveries are posted to: http or https, without credentials, on a public address */
  url: string
  /** The events that trigger it (specification 6.1) */
  events: ('ITEM_CREATED' | 'ITEM_UPDATED' | 'ITEM_DELETED' | 'ITEM_PUBLISHED' | 'ITEM_ARCHIVED' | 'ITEM_UNARCHIVED' | 'ITEM_CATEGORIZED' | 'ITEM_DECATEGORIZED' | 'FOLDER_CREATED' | 'FOLDER_UPDATED' | 'FOLDER_DELETED' | 'SITE_PUBLISHED' | 'CACHE_TAGS_PURGED')[]
  /** Names of the content types that trigger it; empty: all */
  types: string[]
  /**
   * The body of a delivery (specification 6.4): full: everything; basic: the essentials; custom: the
   * template; none: no body
   */
  payloadSize: 'full' | 'basic' | 'custom' | 'none'
  /**
   * For `custom`: JSON whose texts can contain `{{path}}`, a path into `{ event, data, webhook }`. If
   * it is null or not JSON, the full payload is sent
   */
  template: string | null
  /**
   * Headers of each delivery. Values are secrets: responses show them as `***`, and sending `***`
   * keeps the current value
   */
  headers: {
    name: string
    /** A path in dot notation, if it matches something in the item; otherwise a fixed text */
    value: string
  }[]
  /**
   * For `full` and `basic`: additional members of the body, each with the path of its value in the
   * item
   */
  mapping: Record<string, string>
  /** Whether `data` of an asset includes the text of its file */
  includeText: boolean
  /** `***` if deliveries are signed; null if not */
  secret: '***' | null
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
}

/** One attempt to deliver an event */
export interface Delivery {
  /** Sent as `webhook-id`: a delivery is attempted once */
  id: string
  /** An id, as answered by the operation that created it */
  webhookId: string
  /** The event; `TEST` for a test */
  event: string
  /** Id of the entity that changed */
  entityId: string
  /** succeeded: the response was 2xx. failed: anything else, see `error` */
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  /** Unix milliseconds */
  createdDate: number
  /** When it was sent; null until then */
  startedDate: number | null
  /** When the response arrived, or the attempt was given up; null until then */
  finishedDate: number | null
  /** HTTP status of the response; null without a response */
  status: number | null
  /** Milliseconds from the request to the end of the response */
  ms: number | null
  /** The first 4 KiB of the response, as text */
  answer: string | null
  /** Why it failed */
  error: string | null
  /** The delivery that this one repeats */
  redeliveryOf: string | null
}

/** The input of `webhooks.list` */
export interface WebhooksListInput {
  /** Only webhooks of this repository */
  repositoryId?: string | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `webhooks.get` */
export interface WebhooksGetInput {
  /** The webhook */
  id: string
}

/** The input of `webhooks.create` */
export interface WebhooksCreateInput {
  /** A repository's id or name */
  repositoryId: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** URL that deliveries are posted to: http or https, without credentials, on a public address */
  url: string
  /** The events that trigger it (specification 6.1) */
  events: ('ITEM_CREATED' | 'ITEM_UPDATED' | 'ITEM_DELETED' | 'ITEM_PUBLISHED' | 'ITEM_ARCHIVED' | 'ITEM_UNARCHIVED' | 'ITEM_CATEGORIZED' | 'ITEM_DECATEGORIZED' | 'FOLDER_CREATED' | 'FOLDER_UPDATED' | 'FOLDER_DELETED' | 'SITE_PUBLISHED' | 'CACHE_TAGS_PURGED')[]
  /**
   * Whether events trigger it
   * @default true
   */
  enabled?: boolean | undefined
  /**
   * Names of the content types that trigger it; empty: all
   * @default []
   */
  types?: string[] | undefined
  /**
   * The body of a delivery (specification 6.4): full: everything; basic: the essentials; custom: the
   * template; none: no body
   * @default 'full'
   */
  payloadSize?: 'full' | 'basic' | 'custom' | 'none' | undefined
  /**
   * For `custom`: JSON whose texts can contain `{{path}}`, a path into `{ event, data, webhook }`. If
   * it is null or not JSON, the full payload is sent
   * @default null
   */
  template?: string | null | undefined
  /**
   * Headers of each delivery. Values are secrets: responses show them as `***`, and sending `***`
   * keeps the current value
   * @default []
   */
  headers?: {
    name: string
    /** A path in dot notation, if it matches something in the item; otherwise a fixed text */
    value: string
  }[] | undefined
  /**
   * For `full` and `basic`: additional members of the body, each with the path of its value in the
   * item
   * @default {}
   */
  mapping?: Record<string, string> | undefined
  /**
   * Whether `data` of an asset includes the text of its file
   * @default false
   */
  includeText?: boolean | undefined
  /**
   * Signs deliveries as defined by Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. Never
   * shown: responses have `***`, and sending `***` keeps the current secret; null: not signed
   * @default null
   */
  secret?: string | null | undefined
}

/** The input of `webhooks.update` */
export interface WebhooksUpdateInput {
  /** The webhook */
  id: string
  /** A name for people, 1 to 200 characters */
  name?: string | undefined
  /** Whether events trigger it */
  enabled?: boolean | undefined
  /** URL that deliveries are posted to: http or https, without credentials, on a public address */
  url?: string | undefined
  /** The events that trigger it (specification 6.1) */
  events?: ('ITEM_CREATED' | 'ITEM_UPDATED' | 'ITEM_DELETED' | 'ITEM_PUBLISHED' | 'ITEM_ARCHIVED' | 'ITEM_UNARCHIVED' | 'ITEM_CATEGORIZED' | 'ITEM_DECATEGORIZED' | 'FOLDER_CREATED' | 'FOLDER_UPDATED' | 'FOLDER_DELETED' | 'SITE_PUBLISHED' | 'CACHE_TAGS_PURGED')[] | undefined
  /** Names of the content types that trigger it; empty: all */
  types?: string[] | undefined
  /**
   * The body of a delivery (specification 6.4): full: everything; basic: the essentials; custom: the
   * template; none: no body
   */
  payloadSize?: 'full' | 'basic' | 'custom' | 'none' | undefined
  /**
   * For `custom`: JSON whose texts can contain `{{path}}`, a path into `{ event, data, webhook }`. If
   * it is null or not JSON, the full payload is sent
   */
  template?: string | null | undefined
  /**
   * Headers of each delivery. Values are secrets: responses show them as `***`, and sending `***`
   * keeps the current value
   */
  headers?: {
    name: string
    /** A path in dot notation, if it matches something in the item; otherwise a fixed text */
    value: string
  }[] | undefined
  /**
   * For `full` and `basic`: additional members of the body, each with the path of its value in the
   * item
   */
  mapping?: Record<string, string> | undefined
  /** Whether `data` of an asset includes the text of its file */
  includeText?: boolean | undefined
  /**
   * Signs deliveries as defined by Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. Never
   * shown: responses have `***`, and sending `***` keeps the current secret; null: not signed
   */
  secret?: string | null | undefined
}

/** The input of `webhooks.delete` */
export interface WebhooksDeleteInput {
  /** The webhook */
  id: string
}

/** The input of `webhooks.test` */
export interface WebhooksTestInput {
  /** The webhook */
  id: string
}

/** The input of `webhooks.deliveries` */
export interface WebhooksDeliveriesInput {
  /** The webhook */
  id: string
  /** Only deliveries in this state */
  state?: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
  /** Leave out `count`, which makes a long list cheaper */
  skipCount?: boolean | undefined
}

/** The input of `webhooks.redeliver` */
export interface WebhooksRedeliverInput {
  /** The webhook */
  id: string
  /** The delivery to repeat */
  deliveryId: string
}
