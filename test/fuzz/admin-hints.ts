import type { Hints } from './hinting.ts'

/**
 * Hints for search indexes, for the maintenance of repositories, and for stored access
 * configurations.
 */
export const adminHints: Hints = {
  id: ({ random, pool }) => pool.repositories.pick(random),
  name: ({ random }) => `Access ${random.below(300)}`,
  type: ({ random }) => random.pick(['openai', 'http', 's3']),
  baseUrl: ({ random }) =>
    random.pick(['https://fuzz.invalid/v1', 'https://fuzz.invalid', 'http://127.0.0.1', 'x:y', '']),
  allowedPaths: ({ random }) => random.pick([['/**'], ['/v1/*', '/a/'], []]),
  apiKey: ({ random }) => random.pick([undefined, 'sk-fuzz', '***', 'a\nb']),
}

export const accessHints: Hints = {
  id: ({ random, pool }) => pool.accesses.pick(random) ?? 'nothing-yet',
}

/**
 * Hints for webhooks and their deliveries. Nothing listens at these addresses, and few events are
 * sent there.
 */
export const webhookHints: Hints = {
  id: ({ operation, random, pool, delivery }) =>
    operation.id === 'webhooks.redeliver'
      ? delivery?.webhookId
      : (pool.webhooks.pick(random) ?? 'nothing-yet'),
  deliveryId: ({ delivery }) => delivery?.id,
  repositoryId: ({ random, pool }) => pool.repositories.pick(random),
  name: ({ random }) => `Webhook ${random.below(300)}`,
  url: ({ random }) =>
    random.chance(0.9)
      ? `https://fuzz.invalid/hook?${random.below(9)}`
      : random.pick([
          'http://127.0.0.1/',
          'http://[::1]',
          'https://a:b@fuzz.invalid',
          'ftp://fuzz.invalid',
          '',
        ]),
  events: ({ random }) => (random.chance(0.8) ? ['SITE_PUBLISHED'] : ['ITEM_ARCHIVED', 'FOLDER_DELETED']),
  types: ({ random }) => random.pick([[], ['article']]),
  template: ({ random }) => random.pick([null, '{"a":"{{data.name}}"}', '{', '"{{webhook.secret}}"']),
  headers: ({ random }) =>
    random.pick([[], [{ name: 'x-type', value: 'type' }], [{ name: 'host', value: 'x' }]]),
  mapping: ({ random }) => random.pick([{}, { minutes: 'fields.minutes' }, { x: '__proto__.y' }]),
  secret: ({ random }) => random.pick([null, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '***']),
}
