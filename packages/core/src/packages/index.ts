export * as packages from './operations.ts'
