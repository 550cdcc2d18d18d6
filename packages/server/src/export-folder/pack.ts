import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { BytesIn } from '@quire/contract'
import { makeZip } from 'client-zip'
import { lastModified, linesOfShard, parentsFirst, shardsOf } from '@quire/core'
import { isJsonObject, type Json, type JsonObject } from '@quire/core/ports'
import { fileBytes } from '../file-bytes.ts'
import { OperatorError } from '../operator-error.ts'

/** An exported file that was made from a folder. */
export interface PackedFolder {
  readonly archive: BytesIn
  /** The file of the folder for a line of a member: `content/item-0001.ndjson:12`. */
  readonly nameAt: (at: string) => string
  /** Removes the archive. */
  readonly remove: () => Promise<void>
}

/** Packs a folder that `unpackExport` has written, and people have edited. Errors: OperatorError. */
export async function packFolder(folder: string): Promise<PackedFolder> {
  const made = await mkdtemp(join(tmpdir(), 'quire-import-'))
  const remove = () => rm(made, { recursive: true, force: true })
  try {
    const files = new Map<string, readonly string[]>()
    const path = join(made, 'export.zip')
    await writeFile(path, Readable.fromWeb(makeZip(membersOf(folder, files)) as never))
    return { archive: await fileBytes(path), nameAt: (at) => fileAt(files, at), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The members of the archive. Notes the files of each part in the order of its lines. */
async function* membersOf(
  folder: string,
  files: Map<string, readonly string[]>,
): ReturnType<typeof shardsOf> {
  for (const kind of await namesIn(join(folder, 'content'))) {
    const found = await jsonFiles(folder, `content/${kind}`)
    const ordered = kind === 'item' ? found : await inTreeOrder(folder, found)
    files.set(`content/${kind}`, ordered)
    yield* shardsOf(`content/${kind}`, linesOf(folder, ordered, entityOf))
    yield* shardsOf(`history/${kind}`, linesOf(folder, ordered, historyOf))
    yield* shardsOf(`versions/${kind}`, linesOf(folder, ordered, versionsOf))
  }
  const types = await jsonFiles(folder, 'types')
  files.set('types/type', types)
  yield* shardsOf(
    'types/type',
    linesOf(folder, types, (type) => [type]),
  )
  for (const name of await namesIn(join(folder, 'blobs')))
    yield {
      name: `blobs/${name}`,
      lastModified,
      input: createReadStream(join(folder, 'blobs', name)),
    }
  yield {
    name: 'manifest.json',
    lastModified,
    input: JSON.stringify((await linesOf(folder, ['manifest.json'], (manifest) => [manifest]).next()).value),
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => !name.startsWith('.')).toSorted()
}

async function jsonFiles(folder: string, part: string): Promise<readonly string[]> {
  const names = await namesIn(join(folder, part))
  return names.filter((name) => name.endsWith('.json')).map((name) => `${part}/${name}`)
}

/** What a file becomes in a member of the archive. */
type Lines = (value: JsonObject) => readonly Json[]

const entityOf: Lines = ({ history: _history, versions: _versions, ...line }) => [line]

const historyOf: Lines = ({ kind = null, id = null, history = null }) =>
  isJsonObject(history) ? [{ kind, id, ...history }] : []

const versionsOf: Lines = ({ kind = null, id = null, versions = [] }) =>
  [versions].flat().map((version) => (isJsonObject(version) ? { kind, id, ...version } : version))

/** Errors: OperatorError. */
async function* linesOf(
  folder: string,
  files: readonly string[],
  madeOf: Lines,
): AsyncGenerator<Json, undefined> {
  for (const file of files) yield* madeOf(jsonOf(file, await readFile(join(folder, file), 'utf8')))
}

/** Errors: OperatorError. */
function jsonOf(file: string, text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch (error) {
    throw new OperatorError(`${file} is not JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
  throw new OperatorError(`${file} is not a JSON object.`)
}

/** An import needs parents before their children. */
async function inTreeOrder(folder: string, files: readonly string[]): Promise<readonly string[]> {
  const found: { file: string; id: string; parentId: string | null }[] = []
  for (const file of files) {
    const { id, content } = jsonOf(file, await readFile(join(folder, file), 'utf8'))
    const { parentId = null } = isJsonObject(content) ? content : {}
    found.push({
      file,
      id: typeof id === 'string' ? id : file,
      parentId: typeof parentId === 'string' ? parentId : null,
    })
  }
  return parentsFirst(found).map(({ file }) => file)
}

function fileAt(files: ReadonlyMap<string, readonly string[]>, at: string): string {
  const [, part = '', shard, line] = /^(.+)-(\d{4})\.ndjson:(\d+)$/.exec(at) ?? []
  return files.get(part)?.[(Number(shard) - 1) * linesOfShard + Number(line) - 1] ?? at
}
