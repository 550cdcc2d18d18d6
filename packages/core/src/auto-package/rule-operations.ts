export {
  createRule as create,
  deleteRule as delete,
  getRule as get,
  listRules as list,
  updateRule as update,
} from './rules.ts'
