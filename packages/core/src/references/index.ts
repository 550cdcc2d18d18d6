export { references, dependencies } from './operations.ts'
