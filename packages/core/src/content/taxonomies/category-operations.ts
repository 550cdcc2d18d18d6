export { deleteCategory as delete } from './delete-category.ts'
export { getCategory as get } from './category.ts'
export { listCategories as list } from './list-categories.ts'
export {
  createCategory as create,
  moveCategory as move,
  updateCategory as update,
} from './category-writes.ts'
