export {
  createPage as create,
  deletePage as delete,
  movePage as move,
  updatePage as update,
} from './page-writes.ts'
export { getPage as get, listPages as list } from './reads.ts'
