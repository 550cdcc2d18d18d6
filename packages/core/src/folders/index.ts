export * as folders from './operations.ts'
