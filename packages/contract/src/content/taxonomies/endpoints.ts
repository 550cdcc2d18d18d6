export { categories } from './categories.ts'
export { taxonomies } from './taxonomies.ts'
