import { z } from 'zod'
import { endlessListOf, Id, listInput, RepositoryRef } from '../../conventions.ts'
import { crud, pageInput, patchOf } from '../../crud.ts'
import { endpoint } from '../../endpoint.ts'
import { exampleDelivery, exampleWebhook } from './examples.ts'
import { Delivery, Webhook, webhookMembers } from './shapes.ts'

const onWebhook = { id: Id.describe('The webhook') }
const example = { id: exampleWebhook.id }
const { payloadSize, template, headers, mapping, includeText, secret, types, enabled, ...required } =
  webhookMembers

/** Webhooks and their deliveries (specification 2.16 and 6). */
export const webhooks = {
  ...crud({
    path: '/api/admin/webhooks',
    on: onWebhook,
    one: 'a webhook',
    many: 'webhooks',
    view: { key: 'admin.webhooks.view', on: 'each' },
    write: { key: 'admin.webhooks.update', on: 'each' },
    output: Webhook,
    at: example,
    example: exampleWebhook,
    list: {
      input: {
        repositoryId: RepositoryRef.optional().describe('Only webhooks of this repository'),
        ...pageInput,
      },
      errors: ['not_found'],
    },
    create: {
      summary: 'Register a webhook',
      description:
        'Each matching event becomes one delivery: a POST that is attempted once. A webhook receives its events from the whole repository, whatever its creator may read.',
      input: z.strictObject({
        repositoryId: RepositoryRef,
        ...required,
        enabled: enabled.default(true),
        types: types.default([]),
        payloadSize: payloadSize.default('full'),
        template: template.default(null),
        headers: headers.default([]),
        mapping: mapping.default({}),
        includeText: includeText.default(false),
        secret: secret.default(null),
      }),
      errors: ['not_found', 'idempotency_mismatch'],
      example: {
        repositoryId: 'magazine',
        name: exampleWebhook.name,
        url: exampleWebhook.url,
        events: exampleWebhook.events,
        types: exampleWebhook.types,
        payloadSize: 'basic',
        mapping: exampleWebhook.mapping,
        headers: [{ name: 'x-type', value: 'type' }],
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      },
    },
    update: {
      withoutRoom: true,
      description:
        'Only the members that are sent change; lists and `mapping` are replaced as a whole. Queued deliveries are sent with the settings at the time they are sent.',
      input: patchOf(webhookMembers),
      errors: ['not_found', 'precondition_failed'],
      example: { enabled: false },
    },
    delete: { description: 'Its queued deliveries are not sent.' },
  }),
  test: endpoint({
    binding: 'POST /api/admin/webhooks/{id}/test',
    summary: 'Send a test delivery',
    description:
      'Sends an event `TEST` about an item that does not exist, like any other delivery, even if the webhook is disabled.',
    permission: { key: 'admin.webhooks.update', on: 'each' },
    input: z.strictObject(onWebhook),
    output: Delivery,
    success: 202,
    errors: ['not_found', 'idempotency_mismatch'],
    example: { input: example, output: { ...exampleDelivery, event: 'TEST' } },
  }),
  deliveries: endpoint({
    binding: 'GET /api/admin/webhooks/{id}/deliveries',
    summary: 'List the deliveries of a webhook, newest first',
    description: 'Deliveries are kept for 30 days, or for as long as the settings say.',
    permission: { key: 'admin.webhooks.view', on: 'each' },
    input: z.strictObject({
      ...onWebhook,
      state: Delivery.shape.state.optional().describe('Only deliveries in this state'),
      limit: listInput.limit,
      cursor: listInput.cursor,
      skipCount: listInput.skipCount,
    }),
    output: endlessListOf(Delivery),
    errors: ['not_found'],
    example: { input: example, output: { count: 1, items: [exampleDelivery] } },
  }),
  redeliver: endpoint({
    binding: 'POST /api/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver',
    summary: 'Deliver an event again',
    description:
      'Creates a new delivery of the same event and data, with the current settings of the webhook. The webhook must be enabled, otherwise 409 `invalid_state`. The delivery fails if the item has been purged since.',
    permission: { key: 'admin.webhooks.update', on: 'each' },
    input: z.strictObject({ ...onWebhook, deliveryId: Id.describe('The delivery to repeat') }),
    output: Delivery,
    success: 202,
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: {
      input: { ...example, deliveryId: exampleDelivery.id },
      output: { ...exampleDelivery, redeliveryOf: exampleDelivery.id, id: 'JOB_01JB2QH3F5H7K9M1N3P5R7T9V2' },
    },
  }),
}
