import { blobKey } from './keys.ts'
import type { Place } from './place.ts'
import { translate } from './s3-error.ts'

/** What an address of a blob is good for. */
export interface PresignOptions {
  /** Seconds for which it can be used, 7 days at most. */
  readonly expiresIn: number
  /** What the store says the bytes are. Default: `application/octet-stream`. */
  readonly contentType?: string
  /** What the store says to do with them, as `attachment; filename="a.pdf"`. Default: nothing. */
  readonly contentDisposition?: string
}

/** An address from which anybody reads a blob without a key. Nothing is asked of the store, and nothing checked. */
export async function presign(place: Place, hash: string, options: PresignOptions): Promise<string> {
  const { sdk, client, bucket } = place.connection
  const key = blobKey(place.keys, hash)
  const { contentType, contentDisposition, expiresIn } = options
  const command = new sdk.GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ResponseContentType: contentType ?? 'application/octet-stream',
    ...(contentDisposition === undefined ? {} : { ResponseContentDisposition: contentDisposition }),
  })
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  try {
    return await getSignedUrl(client, command, { expiresIn })
  } catch (error) {
    throw translate(error)
  }
}
