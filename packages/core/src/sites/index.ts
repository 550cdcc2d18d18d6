export * as pages from './page-operations.ts'
export * as sections from './section-operations.ts'
export * as sites from './operations.ts'
