export { bulkItems as bulk } from './bulk.ts'
export { categorizeItem as categorize, decategorizeItem as decategorize } from './update.ts'
export { copyItem as copy } from './create.ts'
export { createItem as create } from './create.ts'
export { deleteItem as delete, undeleteItem as undelete } from './delete.ts'
export { diffItem as diff } from './versions.ts'
export { getItem as get, getItemBySlug as getBySlug } from './get.ts'
export { listItems as list } from './list.ts'
export { moveItem as move } from './update.ts'
export {
  archiveItem as archive,
  publishItem as publish,
  unarchiveItem as unarchive,
  unpublishItem as unpublish,
} from './publish.ts'
export { restoreItem as restore } from './update.ts'
export { updateItem as update } from './update.ts'
export { previewItem as preview } from './preview.ts'
export { validateItem as validate } from './publish.ts'
export { itemSchedule as schedule } from './schedule.ts'
export { listVersions as versions } from './versions.ts'
