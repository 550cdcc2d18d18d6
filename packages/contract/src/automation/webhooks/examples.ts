import type { Delivery, Webhook } from './shapes.ts'

/** A webhook that notifies a shop when articles are published or archived. */
export const exampleWebhook: Webhook = {
  id: 'HOOK_01JB2QH3F5H7K9M1N3P5R7T9V1',
  repositoryId: 'REPO_01JB2Q9VJ4S8X2N7C6T1R5W3KD',
  name: 'Shop front',
  enabled: true,
  url: 'https://shop.example.com/hooks/quire',
  events: ['ITEM_PUBLISHED', 'ITEM_ARCHIVED'],
  types: ['article'],
  payloadSize: 'basic',
  template: null,
  headers: [{ name: 'x-type', value: '***' }],
  mapping: { minutes: 'fields.readingMinutes' },
  includeText: false,
  secret: '***',
  createdDate: 1_790_001_000_000,
  updatedDate: 1_790_001_000_000,
}

/** A successful delivery. */
export const exampleDelivery: Delivery = {
  id: 'JOB_01JB2QH3F5H7K9M1N3P5R7T9V1',
  webhookId: exampleWebhook.id,
  event: 'ITEM_PUBLISHED',
  entityId: 'CONT_01JB2QF6H8Z3M5V7B9X1D3G5KA',
  state: 'succeeded',
  createdDate: 1_790_001_000_000,
  startedDate: 1_790_001_000_004,
  finishedDate: 1_790_001_000_031,
  status: 204,
  ms: 27,
  answer: '',
  error: null,
  redeliveryOf: null,
}
