export { listDeliveries as deliveries, redeliver, testWebhook as test } from './deliveries.ts'
export { getWebhook as get, listWebhooks as list } from './reads.ts'
export { createWebhook as create, deleteWebhook as delete, updateWebhook as update } from './writes.ts'
