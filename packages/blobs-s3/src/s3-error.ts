import { BlobsUnavailable } from '@quire/core/ports'

/** An error response of a store. `status` is 0 when there was no response. */
export interface Refusal {
  readonly code: string
  readonly status: number
}

/** The code and status of an error of the SDK. */
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

/**
 * The response to a HEAD has no body with a better code. A missing bucket does not count as
 * absence.
 */
const absences: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload'])

/** Whether an object or an upload does not exist. */
export function isAbsence(error: unknown): boolean {
  const { code, status } = refusalOf(error)
  return status === 404 && absences.has(code)
}

/** Whether a store does not support a request or does not permit it. */
export function isUnsupported(error: unknown): boolean {
  const { status } = refusalOf(error)
  return status === 501 || status === 403
}

/**
 * Error codes of AWS, Ceph, MinIO and Swift for a full quota or disk. Swift answers 413 above the
 * quota of a bucket.
 */
const noRoom: ReadonlySet<string> = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'])

/** Translates an error of the SDK to one of the port. */
export function translate(error: unknown): BlobsUnavailable {
  if (error instanceof BlobsUnavailable) return error
  const { code, status } = refusalOf(error)
  const given = status === 0 ? code : `${code}, ${status}`
  if (status === 507 || status === 413 || noRoom.has(code)) {
    const message = `There is no space left for binaries (${given}): raise the quota of their bucket, or free space.`
    return new BlobsUnavailable('full', message, { cause: error })
  }
  const message = `The bucket of binaries cannot be used (${given}): check its store, its name and the permissions of its key.`
  return new BlobsUnavailable('failing', message, { cause: error })
}
