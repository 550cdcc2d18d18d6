export * as integrations from './operations.ts'
