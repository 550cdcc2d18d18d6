export { activity } from './operations.ts'
