export * as queries from './query-operations.ts'
export * as savedQueries from './operations.ts'
