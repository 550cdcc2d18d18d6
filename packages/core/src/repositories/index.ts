export * as repositories from './operations.ts'
