export { deleteTaxonomy as delete } from './delete.ts'
export { getTaxonomy as get, listTaxonomies as list } from './reads.ts'
export { createTaxonomy as create, updateTaxonomy as update } from './writes.ts'
