import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { BytesIn } from '@quire/contract'

/** A file whose bytes are read when they are sent. `openAsBlob` of Node counts only up to 4 GiB. */
export async function fileBytes(path: string): Promise<BytesIn & { readonly size: number }> {
  const { size } = await stat(path)
  return { name: basename(path), size, stream: () => createReadStream(path) }
}
