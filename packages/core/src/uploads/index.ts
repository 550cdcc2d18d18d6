export * as uploads from './operations.ts'
