export { openS3Blobs, type S3Blobs } from './open-s3-blobs.ts'
export type { S3BlobsOptions, S3Credentials } from './options.ts'
