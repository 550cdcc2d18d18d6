import type { Locating } from '@quire/core/ports'
import { blobKey } from './keys.ts'
import type { Location } from './location.ts'
import { translate } from './s3-error.ts'

/**
 * An address from which anybody reads a blob without a key, as `Blobs.locate` says. Nothing is asked of the store. With a key that is itself
 * good for some time only, the address ends with it.
 */
export async function locateBlob(location: Location, hash: string, locating: Locating): Promise<string> {
  const { sdk, client, bucket } = location.connection
  const { contentType, contentDisposition, expiresIn } = locating
  const command = new sdk.GetObjectCommand({
    Bucket: bucket,
    Key: blobKey(location.keys, hash),
    ResponseContentType: contentType,
    ResponseContentDisposition: contentDisposition,
    // The address holds what opens it: a cache that others share would outlive its time.
    ResponseCacheControl: `private, max-age=${expiresIn}`,
  })
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  try {
    return await getSignedUrl(client, command, { expiresIn })
  } catch (error) {
    throw translate(error)
  }
}
