export { anonymous, systemIdentity, type Who } from './access/identity.ts'
export { Presented, valueOf, type Answer } from './call/answer.ts'
export type { Environment, Origin, Quire, QuireOptions, Request } from './engine.ts'
export { ServedBytes } from './call/served-bytes.ts'
export { createQuire } from './quire.ts'
export {
  scrubBlobs,
  sweepBlobs,
  sweepUploads,
  type BlobFindings,
  type Progress,
  type Swept,
} from './assets/upkeep.ts'
