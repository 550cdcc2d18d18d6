export {
  createQuery as create,
  deleteQuery as delete,
  getQuery as get,
  listQueries as list,
  updateQuery as update,
} from './saved.ts'
