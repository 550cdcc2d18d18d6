export * as webhooks from './operations.ts'
