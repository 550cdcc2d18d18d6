export { createSection as create, moveSection as move, updateSection as update } from './section-writes.ts'
export { deleteSection as delete } from './delete.ts'
export { getSection as get, listSections as list } from './reads.ts'
