export * as user from './operations.ts'
