export { openFileBlobs } from './open-file-blobs.ts'
export type { FileBlobsOptions } from './place.ts'
export { defaultFloor, floorOf, type Volume } from './room.ts'
