export { silentLog, systemClock } from './environment.ts'
export { randomIds } from './ids.ts'
export { memorySecrets } from './secrets.ts'
export { createMemoryStore } from './store.ts'
