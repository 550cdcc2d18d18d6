export { removeRendition as remove, uploadRendition as upload } from './custom.ts'
export { listRenditions as list } from './list.ts'
