import { BlobsUnavailable } from '@quire/core/ports'

/** What a store answered in place of what was asked for. `status` is 0 when there was no answer. */
export interface Refusal {
  readonly code: string
  readonly status: number
}

/** What an error of the SDK says. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { code: 'unknown', status: 0 }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return { code, status: statusOf(error) }
}

function statusOf(error: Error): number {
  if (!('$metadata' in error)) return 0
  const metadata = error.$metadata
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return 0
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : 0
}

/** A HEAD has no body to say more than that. A bucket that is not there is no absence. */
const absences: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload'])

/** Whether an object or an upload is not there. */
export function isAbsence(error: unknown): boolean {
  const { code, status } = refusalOf(error)
  return status === 404 && absences.has(code)
}

/** Whether a store does not know a request, or keeps it from us. */
export function isUnsupported(error: unknown): boolean {
  const { status } = refusalOf(error)
  return status === 501 || status === 403
}

/** What AWS, Ceph, MinIO and Swift say when a quota or a disk is full. 413 is Swift's answer above the quota of a bucket. */
const noRoom: ReadonlySet<string> = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'])

/** An error of the SDK as the port knows it. */
export function translate(error: unknown): BlobsUnavailable {
  if (error instanceof BlobsUnavailable) return error
  const { code, status } = refusalOf(error)
  const given = status === 0 ? code : `${code}, ${status}`
  if (status === 507 || status === 413 || noRoom.has(code)) {
    const message = `No room is left for binaries (${given}): raise the quota of their bucket, or free space.`
    return new BlobsUnavailable('full', message, { cause: error })
  }
  const message = `The bucket of binaries fails (${given}): check its store, its name and the rights of its key.`
  return new BlobsUnavailable('failing', message, { cause: error })
}
