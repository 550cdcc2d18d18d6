import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { WriteStream } from 'node:tty'
import type { Api } from '@quire/contract'
import { SingleBar } from 'cli-progress'
import { connect, findRepository, type ConnectionOptions } from './connection.ts'

/** Options of `quire export`, parsed. */
export interface ExportOptions extends ConnectionOptions {
  readonly repository: string
  readonly files: boolean
  readonly package?: string
  readonly folder?: string
  readonly query?: ExportInput['query']
  readonly dir: boolean
  readonly history: boolean
}

type ExportInput = Parameters<Api['repositories']['export']>[0]

/**
 * Exports a repository, or a part of it, to a file, which appears when it is whole, or to a folder.
 * Errors: OperatorError when the repository does not exist, and for a folder with something else.
 */
export async function exportRepository(path: string, options: ExportOptions): Promise<void> {
  const connection = await connect(options, 'exporter')
  const file = resolve(path)
  const part = `${file}.part`
  try {
    const { id } = await findRepository(connection.api, options.repository)
    const archive = await connection.api.repositories.export(inputOf(id, options))
    const progress = bytesProgress(process.stdout, path)
    await write(part, archive.stream(), progress.written)
    if (options.dir) await unpack(part, file)
    else await rename(part, file)
    progress.end()
  } finally {
    await rm(part, { force: true })
    await connection.close()
  }
}

function inputOf(
  id: string,
  { files, history, package: packageName, folder, query }: ExportOptions,
): ExportInput {
  return {
    id,
    blobs: files,
    history,
    ...(packageName !== undefined && { packageName }),
    ...(folder !== undefined && { folderId: folder }),
    ...(query !== undefined && { query }),
  }
}

async function unpack(part: string, folder: string): Promise<void> {
  const { unpackExport } = await import('../export-folder/unpack.ts')
  await unpackExport(part, folder)
}

async function write(
  path: string,
  stream: ReadableStream<Uint8Array>,
  written: (bytes: number) => void,
): Promise<void> {
  const file = await open(path, 'w')
  try {
    for await (const chunk of stream) {
      await file.write(chunk)
      written(chunk.length)
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The number of bytes so far on a terminal, one line at the end elsewhere. */
function bytesProgress(output: WriteStream, name: string) {
  let bytes = 0
  const text = () => `${(bytes / 1_000_000).toFixed(1)} MB`
  const visible = output.isTTY
    ? new SingleBar({ stream: output, format: `${name} {size}`, hideCursor: true })
    : null
  visible?.start(0, 0, { size: text() })
  return {
    written: (more: number) => {
      bytes += more
      visible?.update({ size: text() })
    },
    end: () => {
      visible?.stop()
      output.write(`Exported ${text()} to ${name}\n`)
    },
  }
}
