export {
  createDefinition as create,
  deleteDefinition as delete,
  getDefinition as get,
  listDefinitions as list,
  updateDefinition as update,
} from './definitions.ts'
