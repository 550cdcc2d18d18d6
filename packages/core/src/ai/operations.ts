export { chat, embeddings, models } from './pass-on.ts'
export { listProviders as providers } from './list.ts'
export { task } from './task.ts'
