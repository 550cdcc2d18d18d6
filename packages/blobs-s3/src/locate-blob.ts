import type { Locating } from '@quire/core/ports'
import { blobKey } from './keys.ts'
import type { Location } from './location.ts'
import { translate } from './s3-error.ts'

/**
 * Implements `Blobs.locate`: an address at which anyone can read the blob without credentials.
 * Sends no request to the store. If the credentials are temporary, the address expires with them.
 */
export async function locateBlob(location: Location, hash: string, locating: Locating): Promise<string> {
  const { sdk, client, bucket } = location.connection
  const { contentType, contentDisposition, expiresIn } = locating
  const command = new sdk.GetObjectCommand({
    Bucket: bucket,
    Key: blobKey(location.keys, hash),
    ResponseContentType: contentType,
    ResponseContentDisposition: contentDisposition,
    // The address contains the signature that opens it: a shared cache would serve it after it
    // expired.
    ResponseCacheControl: `private, max-age=${expiresIn}`,
  })
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  try {
    return await getSignedUrl(client, command, { expiresIn })
  } catch (error) {
    throw translate(error)
  }
}
