export * as ai from './operations.ts'
