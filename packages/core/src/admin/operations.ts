export { listIndexes as indexes, rebuildIndex, showIndex as index } from './indexes.ts'
