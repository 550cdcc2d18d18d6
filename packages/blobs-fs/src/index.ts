export { openFileBlobs } from './open-file-blobs.ts'
export type { FileBlobsOptions } from './location.ts'
