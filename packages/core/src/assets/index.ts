export * as assets from './operations.ts'
