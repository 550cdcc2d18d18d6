import { expect, it, onTestFinished, vi } from 'vitest'
import { uploadKey } from './upload-key.ts'

const metadata = { repositoryId: 'magazine' }

it('distinguishes files by their metadata, date, size and both ends', async () => {
  const zeros = (size: number) => new Uint8Array(size)
  const edge = 64 * 1024
  const dated = (lastModified: number) => new File([zeros(9)], 'a', { lastModified })
  const keys = await Promise.all([
    uploadKey(new Blob([zeros(9)]), metadata),
    uploadKey(new Blob([zeros(9)]), { ...metadata, type: 'file' }),
    uploadKey(dated(1), metadata),
    uploadKey(dated(2), metadata),
    uploadKey(new Blob([zeros(3 * edge)]), metadata),
    uploadKey(new Blob([zeros(3 * edge + 1)]), metadata),
    uploadKey(new Blob([zeros(edge - 1), 'x', zeros(2 * edge)]), metadata),
    uploadKey(new Blob([zeros(2 * edge), 'x', zeros(edge - 1)]), metadata),
  ])
  expect(new Set(keys).size).toBe(keys.length)
  expect(await uploadKey(new Blob([zeros(9)]), metadata)).toBe(keys[0])
  expect(keys[0]).toMatch(/^quire-upload:[0-9a-f]{64}$/)
})

it('is null where nothing can be hashed', async () => {
  vi.stubGlobal('crypto', {})
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(await uploadKey(new Blob(['x']), metadata)).toBeNull()
})
