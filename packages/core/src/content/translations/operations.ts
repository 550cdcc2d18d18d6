export { listTranslations as list } from './list.ts'
export { confirmTranslations as confirm } from './confirm.ts'
export { exportTranslations as export } from './export.ts'
export { importTranslations as import } from './import.ts'
