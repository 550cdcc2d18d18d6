import type { HttpAnswer } from '../server/connection.ts'
import type { FuzzOperation } from './operations.ts'
import type { Pool } from './pool.ts'
import { metadataValue } from './upload-metadata.ts'

/** Keeps how far an upload is, and the asset that it became: what the headers of its answers say. */
export function learnUpload(pool: Pool, { method }: FuzzOperation, { headers }: HttpAnswer): void {
  const { 'quire-upload-id': id, 'quire-item-id': itemId, 'upload-metadata': metadata = '' } = headers
  if (id === undefined) return
  pool.uploads.remove((known) => known.id === id)
  if (itemId === undefined) {
    const label = metadataValue(metadata, 'specimen') ?? ''
    return pool.uploads.add({ id, label, offset: Number(headers['upload-offset']) })
  }
  // A read tells again what was learnt before.
  if (method === 'HEAD') return
  pool.assets.add({
    repositoryId: metadataValue(metadata, 'repositoryId') ?? pool.magazine,
    isInPackage: metadataValue(metadata, 'packageName') !== undefined,
    id: itemId,
    slug: '',
    version: 1,
    made: [],
  })
}
