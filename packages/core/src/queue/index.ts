export * as queue from './operations.ts'
