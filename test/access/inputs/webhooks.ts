import type { Targets } from '../targets.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about webhooks and their deliveries. */
export const webhooks: InputMakers<'webhooks'> = {
  list: async (at) => {
    await onWebhook(at)
    return { repositoryId: at.configId, limit: 3 }
  },
  get: onWebhook,
  create: (at) => newWebhook(at),
  update: async (at) => ({ ...(await onWebhook(at)), enabled: false }),
  delete: onWebhook,
  test: onWebhook,
  deliveries: async (at) => {
    const { id } = await onDelivery(at)
    return { id, limit: 3 }
  },
  redeliver: onDelivery,
}

// A webhook that none of the requests triggers.
function newWebhook({ configId, word }: Targets) {
  const url = 'https://hooks.example.com/matrix'
  return { repositoryId: configId, name: word('Webhook'), url, events: ['SITE_PUBLISHED' as const] }
}

async function onWebhook(at: Targets) {
  const { id, name } = await at.system.webhooks.create(newWebhook(at))
  at.made.add(id).add(name)
  return { id }
}

async function onDelivery(at: Targets) {
  const { id } = await onWebhook(at)
  const { id: deliveryId } = await at.system.webhooks.test({ id })
  at.made.add(deliveryId)
  return { id, deliveryId }
}
