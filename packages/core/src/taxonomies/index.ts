export * as categories from './category-operations.ts'
export * as taxonomies from './operations.ts'
