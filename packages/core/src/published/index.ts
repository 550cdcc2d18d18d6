export * as published from './operations.ts'
