export { exportRows } from './export.ts'
export { importRows } from './import.ts'
