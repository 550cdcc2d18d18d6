export { listIntegrations as list } from './list.ts'
export { pass } from './pass.ts'
