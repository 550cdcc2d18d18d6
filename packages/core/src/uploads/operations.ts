export { appendToUpload as append } from './append.ts'
export { createUpload as create } from './create.ts'
export {
  getUpload as get,
  terminateUpload as terminate,
  uploadCapabilities as capabilities,
} from './reads.ts'
