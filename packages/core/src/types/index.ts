export * as types from './operations.ts'
