export {
  createConnection as create,
  deleteConnection as delete,
  getConnection as get,
  listConnections as list,
  updateConnection as update,
} from './connections.ts'
export { testConnection as test } from './test-connection.ts'
