export { listTranslations as list } from './list.ts'
export { confirmTranslations as confirm } from './confirm.ts'
