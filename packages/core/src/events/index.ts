export { events } from './operations.ts'
