import { openS3Blobs, type S3BlobsOptions } from '@quire/blobs-s3'
import { createQuire, type Quire } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import { sharpMedia } from '@quire/media-sharp'
import { createServer } from '@quire/server'
import { openPostgresStore, type PostgresOptions } from '@quire/store-postgres'

/** Settings that all servers share. */
export interface Common {
  readonly database: PostgresOptions
  readonly bucket: S3BlobsOptions
  /**
   * 32 secret random bytes. The servers use them to verify each other's tokens and to decrypt each
   * other's secrets.
   */
  readonly key: Uint8Array<ArrayBuffer>
  /** The public address of all servers, which tokens name: that of the load balancer. */
  readonly baseUrl: string
}

/** One of the servers. */
export interface OpenedServer {
  readonly quire: Quire
  /** Its own address, behind the load balancer. */
  readonly url: string
  /** Stops the server and its engine. Stored content remains. */
  close(): Promise<void>
}

/**
 * Opens an engine on the database and the bucket, and serves it on a free port. Any number of
 * processes can do so at the same time.
 */
export async function openServer({ database, bucket, key, baseUrl }: Common): Promise<OpenedServer> {
  const store = await openPostgresStore(database)
  const quire = createQuire({
    store,
    blobs: await openS3Blobs(bucket),
    media: sharpMedia(),
    secrets: memorySecrets(key),
    baseUrl,
  })
  // With `peers`, rate limits apply to the requests to all servers together.
  const app = createServer({ quire, baseUrl, peers: store.peers })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const close = async () => {
    await app.close()
    await quire.close()
  }
  return { quire, url, close }
}
