import { QuireError } from '@quire/contract'
import { collect, inPieces } from '../../../engine/paging.ts'
import { parseManifest, manifestText } from './manifest-format.ts'
import type { Blobs, StoredBlob } from '../../../ports/index.ts'
import type { Manifest } from './manifest.ts'

/** Keeps a manifest. The same one has the same bytes, whatever the order of its maps and of what pages use. */
export async function writeManifest(blobs: Blobs, manifest: Manifest): Promise<StoredBlob> {
  return blobs.put(inPieces(new TextEncoder().encode(await manifestText(manifest))))
}

/**
 * A manifest as it was kept, by its hash. Cost: some 30 ms for 10 000 pages, others get their turns.
 * Errors: `not_found` when it is missing; BlobCorrupt; `internal` when it is none.
 */
export async function readManifest(blobs: Blobs, hash: string): Promise<Manifest> {
  const bytes = await blobs.read(hash)
  if (!bytes)
    throw new QuireError(
      'not_found',
      'The manifest of this publication is missing: restore it from a backup.',
    )
  const manifest = await parseManifest(new TextDecoder().decode(await collect(bytes)))
  if (manifest) return manifest
  throw new QuireError('internal', `The blob ${hash} is no manifest: publish the site anew.`)
}
