export * as admin from './operations.ts'
