import type { Api, CallOptions } from '@quire/contract'

/** All writes of webhooks and jobs, with a key that was used for another request. */
export function writesOfQueue({ webhooks, queue }: Api, options: CallOptions): Promise<unknown>[] {
  const webhook = { repositoryId: 'magazine', name: 'Once', url: 'https://hooks.example.com/once' }
  return [
    webhooks.create({ ...webhook, events: ['ITEM_CREATED'] }, options),
    webhooks.test({ id: 'HOOK_1' }, options),
    webhooks.redeliver({ id: 'HOOK_1', deliveryId: 'JOB_1' }, options),
    queue.cancel({ jobId: 'JOB_1' }, options),
    queue.retry({ jobId: 'JOB_1' }, options),
  ]
}
