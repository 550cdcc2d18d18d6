import { createReadStream } from 'node:fs'
import { stat, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import type { BytesIn } from '@quire/contract'
import { Reader } from '@zip.js/zip.js/lib/zip-core-native.js'

/** A file whose bytes are read when they are sent. `openAsBlob` of Node counts only up to 4 GiB. */
export async function fileBytes(path: string): Promise<BytesIn & { readonly size: number }> {
  const { size } = await stat(path)
  return { name: basename(path), size, stream: () => createReadStream(path) }
}

/** An open file, for readers of ZIP archives. */
export class ArchiveReader extends Reader<FileHandle> {
  readonly #file: FileHandle
  override size = 0

  constructor(file: FileHandle) {
    super(file)
    this.#file = file
  }

  override async init(): Promise<void> {
    await super.init?.()
    const { size } = await this.#file.stat()
    this.size = size
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#file.read(new Uint8Array(length), 0, length, index)
    return buffer.subarray(0, bytesRead)
  }
}
