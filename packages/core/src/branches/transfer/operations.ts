export { exportRepository as export } from './export.ts'
export { importRepository as import } from './import.ts'
