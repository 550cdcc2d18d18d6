import { Upload, type DetailedError, type UploadOptions } from 'tus-js-client'
import type { Serving } from './serving.ts'

/** What tus-js-client needs to know about a server. */
export type TusLocation = Pick<Serving, 'baseUrl' | 'token'>

type Data = ConstructorParameters<typeof Upload>[0]

/** An upload by tus-js-client that can be watched. */
export interface TusUpload {
  readonly upload: Upload
  /** The id of the item, once everything is sent. Errors: as tus-js-client reports them. */
  readonly done: Promise<string>
}

/**
 * Options of an upload into the magazine. It does not retry unless `retryDelays` is set: a test
 * wants the first response.
 */
export function tusOptions({ baseUrl, token }: TusLocation, options: UploadOptions = {}): UploadOptions {
  return {
    endpoint: `${baseUrl}/api/items/upload`,
    headers: { authorization: `Bearer ${token}` },
    retryDelays: null,
    storeFingerprintForResuming: false,
    ...options,
    metadata: { repositoryId: 'magazine', filename: 'upload.bin', ...options.metadata },
  }
}

/** Starts an upload, or resumes the one at `uploadUrl`. */
export function startTus(location: TusLocation, data: Data, options: UploadOptions = {}): TusUpload {
  const { promise: done, resolve, reject } = Promise.withResolvers<string>()
  const upload = new Upload(data, {
    ...tusOptions(location, options),
    onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('quire-item-id') ?? ''),
    onError: reject,
  })
  upload.start()
  return { upload, done }
}

/**
 * The status that an upload by tus-js-client failed with. Errors: any other failure, and success.
 */
export async function statusOf(done: Promise<string>): Promise<number | undefined> {
  try {
    await done
  } catch (error) {
    return (error as DetailedError).originalResponse?.getStatus()
  }
  throw new Error('the upload did not fail')
}

/** The header that carries metadata (TUS 1.0, Upload-Metadata). */
export function tusMetadata(metadata: Readonly<Record<string, string>>): string {
  return Object.entries({ repositoryId: 'magazine', filename: 'upload.bin', ...metadata })
    .map(([key, text]) => `${key} ${Buffer.from(text).toString('base64')}`)
    .join(',')
}
