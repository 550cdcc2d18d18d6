import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import {
  exportFormat,
  type ExportedEntity,
  type ExportedHistory,
  type ExportedType,
  type ExportedVersion,
} from '@quire/contract'
import { contentDigest } from '@quire/core'
import { Reader, ZipReader, type FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js'
import { codeOf, OperatorError } from '../operator-error.ts'
import { jsonName, parts } from './layout.ts'

/**
 * Writes an exported file as a folder for version control, with one file an entity, and removes the
 * files of earlier exports that are not in it. Other files stay as they are. Returns the number of
 * files. Errors: OperatorError for a folder that holds something else.
 */
export async function unpackExport(path: string, folder: string): Promise<number> {
  await requireOwnFolder(folder)
  await using archive = await open(path)
  try {
    return await unpack(archive, folder)
  } catch (error) {
    if (error instanceof OperatorError || codeOf(error) !== undefined) throw error
    const why = error instanceof Error ? error.message : ''
    throw new OperatorError(`The export cannot be unpacked: ${why}`, { cause: error })
  }
}

/** The reader refuses names of members that lead out of the folder. */
async function unpack(archive: FileHandle, folder: string): Promise<number> {
  const written = new Set<string>()
  const write = async (name: string, value: unknown) => {
    written.add(name)
    await writeJson(join(folder, name), value)
  }
  for await (const entry of new ZipReader(new ArchiveReader(archive), {
    useWebWorkers: false,
  }).getEntriesGenerator()) {
    if (entry.directory) continue
    const { filename: name } = entry
    if (/^(content|history|versions)\//.test(name)) await unpackEntities({ folder, write }, entry)
    else if (name.startsWith('types/'))
      for await (const type of linesOf<ExportedType>(entry)) await write(`types/${jsonName(type.name)}`, type)
    else if (name.startsWith('blobs/')) {
      written.add(name)
      await writeBytes(entry, join(folder, name))
    } else for await (const manifest of linesOf(entry)) await write('manifest.json', manifest)
  }
  await removeOthers(folder, written)
  return written.size
}

interface Writing {
  readonly folder: string
  readonly write: (name: string, value: unknown) => Promise<void>
}

/** Writes a member of entities. Those with earlier contents come after the content, and are added to it. */
async function unpackEntities({ folder, write }: Writing, entry: FileEntry): Promise<void> {
  if (entry.filename.startsWith('content/')) {
    for await (const line of linesOf<ExportedEntity>(entry))
      await write(entityName(line), { ...line, history: await ownHistory(line) })
    return
  }
  for await (const earlier of linesOf<ExportedHistory | ExportedVersion>(entry)) {
    const file = entityName(earlier)
    const line = JSON.parse(await readFile(join(folder, file), 'utf8')) as Line
    await write(file, {
      ...line,
      ...('digests' in earlier ? withEarlier(line, earlier) : withVersion(line, earlier)),
    })
  }
}

/** A line with what it comes from, as a file of the folder. */
interface Line extends ExportedEntity {
  readonly history: History
  /** Earlier versions that are public in some locale, oldest first. */
  readonly versions?: readonly Omit<ExportedVersion, 'kind' | 'id'>[]
}

type History = Pick<ExportedHistory, 'digests' | 'stateDate'>

/** The exported content itself is the base of what people make of it in the folder. */
async function ownHistory({ content, updatedDate }: ExportedEntity): Promise<History> {
  return { digests: [await contentDigest(content)], stateDate: updatedDate }
}

function withEarlier({ history }: Line, { digests, stateDate }: History): Pick<Line, 'history'> {
  return { history: { digests: [...history.digests, ...digests], stateDate } }
}

function withVersion({ versions = [] }: Line, earlier: ExportedVersion): Pick<Line, 'versions'> {
  const { kind: _kind, id: _id, ...version } = earlier
  return { versions: [...versions, version] }
}

// The file may come from another service, so a kind must not lead out of the folder either.
function entityName({ kind, id }: Pick<ExportedEntity, 'kind' | 'id'>): string {
  if (!/^[a-z]+$/.test(kind)) throw new OperatorError(`The export has an unsafe kind: ${kind}`)
  return `content/${kind}/${jsonName(id)}`
}

/** Errors: OperatorError. */
async function requireOwnFolder(folder: string): Promise<void> {
  const names: readonly string[] = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  if (!names.some((name) => parts.some((part) => part === name)) || (await isExport(folder))) return
  throw new OperatorError(
    `${folder} holds ${parts.filter((part) => names.includes(part)).join(' and ')}, but no export: choose another folder.`,
  )
}

/** Whether a folder holds an export. */
export async function isExport(folder: string): Promise<boolean> {
  try {
    const { format } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      format: unknown
    }
    return format === exportFormat.name
  } catch {
    return false
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`)
}

async function writeBytes(entry: FileEntry, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await entry.getData(Writable.toWeb(createWriteStream(path)) as WritableStream<Uint8Array>)
}

/** The lines of a member, as JSON. */
async function* linesOf<T>(entry: FileEntry): AsyncGenerator<T> {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
  const sent = entry.getData(writable)
  // A failure also ends the reading side, where it is thrown.
  sent.catch(() => undefined)
  let rest = ''
  for await (const text of readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as T
  }
  await sent
}

async function removeOthers(folder: string, written: ReadonlySet<string>): Promise<void> {
  for (const part of parts) {
    const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile() && !written.has(path.slice(join(folder, '/').length).replaceAll('\\', '/')))
        await rm(path)
    }
  }
}

/** An open file, for the reader of ZIP archives. */
class ArchiveReader extends Reader<FileHandle> {
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
