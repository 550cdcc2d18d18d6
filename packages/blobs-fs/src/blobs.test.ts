import { open, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blobSuite } from '@quire/testkit/suites'
import { openFileBlobs } from './open-file-blobs.ts'

blobSuite('in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quire-blobs-'))
  const reopen = () => openFileBlobs({ folder })
  return {
    blobs: await reopen(),
    reopen,
    damage: (hash) => flipLastBit(join(folder, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash)),
    close: () => rm(folder, { recursive: true }),
  }
})

async function flipLastBit(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
    await handle.write(Buffer.from([buffer.readUInt8() ^ 1]), 0, 1, size - 1)
  } finally {
    await handle.close()
  }
}
