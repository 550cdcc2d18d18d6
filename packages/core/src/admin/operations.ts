export { generateKey } from '../access-configurations/create.ts'
export { showHealth as health } from './health.ts'
export { listIndexes as indexes, rebuildIndex, showIndex as index } from './indexes.ts'
export { showSettings as settings, updateSettings } from './settings-operations.ts'
