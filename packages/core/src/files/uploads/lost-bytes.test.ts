import { expect, it } from 'vitest'
import { systemIdentity } from '../../engine/access/identity.ts'
import { memoryBlobs, createMemoryStore, systemClock } from '../../memory/index.ts'
import { createQuire } from '../../quire.ts'

it('an upload whose bytes are lost no longer exists', async () => {
  const blobs = memoryBlobs(systemClock())
  const api = createQuire({ store: createMemoryStore(), blobs }).as(systemIdentity('test'))
  await api.repositories.create({ name: 'files' })
  await api.types.create({ name: 'anyfile', settings: { isAsset: true }, fields: [] })
  const upload = await api.uploads.create({ length: 6, metadata: { repositoryId: 'files' } })
  const at = { uploadId: upload.id }
  await api.uploads.append({ ...at, offset: 0, file: new Blob(['abc']) })
  await blobs.partials.discard(upload.id)
  await expect(api.uploads.append({ ...at, offset: 3, file: new Blob(['def']) })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(api.uploads.get(at)).rejects.toMatchObject({ code: 'not_found' })
})
