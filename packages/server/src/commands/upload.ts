import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { TokenError, QuireError, type Item } from '@quire/contract'
import { codeOf, OperatorError } from '../operator-error.ts'
import { connect, type Connection, type ConnectionOptions } from './connection.ts'
import { memoryOf, openUploadMemory, type UploadMemory } from './upload-memory.ts'
import { uploadProgress, type LocalFile, type UploadProgress } from './upload-progress.ts'

/** Options of `quire upload`, parsed. */
export interface UploadCommandOptions extends ConnectionOptions {
  readonly repository: string
  readonly package?: string
  readonly type?: string
  readonly folder?: string
}

/**
 * Uploads files as assets, one after the other. Calling the command again resumes interrupted
 * uploads. Exit code 1 when a file failed.
 * Errors: OperatorError when a file does not exist, before any file is sent.
 */
export async function uploadFiles(paths: readonly string[], options: UploadCommandOptions): Promise<void> {
  const files = await Promise.all(paths.map(localFile))
  const connection = await connect(options, 'uploader')
  const memory = await openUploadMemory()
  const progress = uploadProgress(process.stdout, files)
  let failed = 0
  try {
    for (const file of files) {
      const work = { connection, memory, progress, file, options }
      const item = await uploadOne(work).catch((error: unknown) => progress.failed(file, messageOf(error)))
      if (item) progress.done(file, item)
      else failed += 1
    }
    progress.end(`${files.length - failed} uploaded, ${failed} failed.`)
    if (failed > 0) process.exitCode = 1
  } finally {
    await connection.close()
  }
}

async function localFile(path: string): Promise<LocalFile> {
  try {
    const found = await stat(path)
    if (found.isFile()) return { path: resolve(path), size: found.size }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  throw new OperatorError(`There is no file ${path}.`)
}

interface UploadTask {
  readonly connection: Connection
  readonly memory: UploadMemory
  readonly progress: UploadProgress
  readonly file: LocalFile
  readonly options: UploadCommandOptions
}

async function uploadOne({
  connection: { api, client },
  memory,
  progress,
  file,
  options,
}: UploadTask): Promise<Item> {
  const { mtimeMs, size } = await stat(file.path)
  const blob = new File([await openAsBlob(file.path)], basename(file.path), {
    lastModified: Math.floor(mtimeMs),
  })
  // Node counts the bytes of such a Blob with 32 bits.
  if (blob.size !== size) throw new OperatorError(`${file.path} has more than 4 GiB.`)
  const { repository, package: packageName, type, folder: folderId } = options
  const given = { ...(packageName && { packageName }), ...(type && { type }), ...(folderId && { folderId }) }
  // In process there is no connection that could break.
  if (!client) return api.assets.create({ configId: repository, ...given, file: blob })
  const onProgress = ({ sent }: { sent: number }) => progress.sent(file, sent)
  const own = memoryOf(memory, { url: options.url ?? '', path: file.path })
  return client.assets.upload(blob, { repositoryId: repository, ...given, memory: own, onProgress })
}

function messageOf(error: unknown): string {
  if (error instanceof QuireError || error instanceof TokenError || error instanceof Error)
    return error.message
  return String(error)
}
