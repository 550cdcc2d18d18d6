import type { HttpAnswer } from '../server/connection.ts'
import type { FuzzOperation } from './operations.ts'
import type { Pool } from './pool.ts'
import { metadataValue } from './upload-metadata.ts'

/** Records the progress of an upload and the resulting asset from the headers of an answer. */
export function learnUpload(pool: Pool, { method }: FuzzOperation, { headers }: HttpAnswer): void {
  const { 'quire-upload-id': id, 'quire-item-id': itemId, 'upload-metadata': metadata = '' } = headers
  if (id === undefined) return
  pool.uploads.remove((known) => known.id === id)
  if (itemId === undefined) {
    const label = metadataValue(metadata, 'specimen') ?? ''
    return pool.uploads.add({ id, label, offset: Number(headers['upload-offset']) })
  }
  // A read only repeats what is already known.
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
