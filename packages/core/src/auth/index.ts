export * as auth from './operations.ts'
