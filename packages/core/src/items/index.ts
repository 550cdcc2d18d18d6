export * as items from './operations.ts'
