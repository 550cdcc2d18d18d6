import type { ContentType } from '@quire/contract'
import { extensionOf } from './file-name.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { fileProblem, type Asset } from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { typeIn, typeNamed } from '../../content/types/find.ts'

/** The type of a file, determined from its bytes. */
interface FileType {
  readonly mimeType: string
  /** Without the dot. */
  readonly extension: string
}

/**
 * Number of leading bytes that determine the type; document archives name their kind within them.
 */
export const sniffedBytes = 64 * 1024

/**
 * Determines the type of a file from its first bytes. The name only distinguishes texts from each
 * other, which are always downloaded and never displayed (TRUST S10).
 */
export async function sniff(head: Uint8Array, fileName: string): Promise<FileType> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found && found.ext !== 'xml') return { mimeType: found.mime, extension: found.ext }
  return sniffText(head, fileName)
}

const texts: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  txt: 'text/plain',
  vtt: 'text/vtt',
  yaml: 'application/yaml',
  yml: 'application/yaml',
}

function sniffText(head: Uint8Array, fileName: string): FileType {
  const named = extensionOf(fileName)
  const encoding = encodingOf(head)
  if (encoding === null) return { mimeType: 'application/octet-stream', extension: named ?? 'bin' }
  const text = new TextDecoder(encoding).decode(head).trimStart()
  const start = text.replaceAll(/<\?[^>]*>|<!--[\s\S]*?-->|<!doctype\s+svg[^>]*>/gi, '').trimStart()
  if (/^<svg[\s>]/i.test(start)) return { mimeType: 'image/svg+xml', extension: 'svg' }
  if (text.startsWith('<?xml')) {
    // A browser reads an XHTML page like HTML, including its scripts, so it counts as a page.
    const isPage = /^<(?:!doctype\s+html|html)[\s>/]/i.test(start)
    return isPage
      ? { mimeType: 'application/xhtml+xml', extension: 'xhtml' }
      : { mimeType: 'application/xml', extension: 'xml' }
  }
  if (/^<(!doctype\s+html|html|head|body|script|iframe|title|style|div|p|a|img|table|h\d)[\s>/]/i.test(start))
    return { mimeType: 'text/html', extension: 'html' }
  const known = named !== null && Object.hasOwn(texts, named) ? texts[named] : undefined
  return known && named
    ? { mimeType: known, extension: named }
    : { mimeType: 'text/plain', extension: named ?? 'txt' }
}

/**
 * The encoding of a text; null if it is not a text. UTF-16 is recognized by its byte order mark,
 * because every second byte of it may be 0.
 */
function encodingOf(head: Uint8Array): string | null {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return head.includes(0) ? null : 'utf-8'
}

/** Whether it is a kind of text that is distinguished from others only by its name. */
export function isNamedText(mimeType: string): boolean {
  return Object.values(texts).includes(mimeType)
}

/**
 * Whether a browser may display it: raster images, video and audio. Everything else is downloaded.
 */
export function isVisible(mimeType: string): boolean {
  return /^image\/(jpeg|png|gif|webp|avif)$|^(video|audio)\/[\w.+-]+$/.test(mimeType)
}

/**
 * The content type to serve bytes with. Never a script: a page of the same origin could load it
 * even as an attachment (TRUST S10).
 */
export function servedType(mimeType: string): string {
  return /(?:java|ecma)script/.test(mimeType) ? 'text/plain' : mimeType
}

/** What a client says about a file before sending it. */
interface GivenFile {
  readonly filename?: string | undefined
  readonly name?: string | undefined
  readonly filetype?: string | undefined
  /** Uppy uses this for what others put in `filetype`. */
  readonly type?: string | undefined
  /** Size in bytes. */
  readonly length: number
}

/**
 * Refuses a file whose content type is not given and does not follow from its name and declared
 * media type, so that nobody uploads gigabytes only to be refused. The bytes decide in the end: a
 * file that passes here may still be refused. Errors: `invalid`.
 */
export async function requireTypeFor(call: Call, scope: Scope, given: GivenFile): Promise<void> {
  const types = await assetTypesOf(call, scope)
  const kinds = kindsOf(given)
  const fitting = types.filter((type) => takesAny(type, kinds, given.length))
  if (fitting.length === 1) return
  const names = fitting.map(({ name }) => name).join(', ')
  const what = kinds.length === 0 ? 'such a file' : kinds.join(' or ')
  const message = names
    ? `is required: ${names} accept such a file`
    : `is required: no content type here accepts ${what}`
  throw invalid([{ path: 'type', message }])
}

function takesAny({ settings }: ContentType, kinds: readonly string[], size: number): boolean {
  // Types that were stored before these settings existed do not have them.
  const { mimeTypes = [], maxBytes } = settings as Partial<ContentType['settings']>
  if (kinds.length === 0) return fileProblem({ mimeType: '', size }, { mimeTypes: [], maxBytes }) === null
  return kinds.some((mimeType) => fileProblem({ mimeType, size }, { mimeTypes, maxBytes }) === null)
}

/**
 * The possible media types of a file, from the declared type and the name; empty when neither
 * tells.
 */
function kindsOf({ filename, name, filetype, type }: GivenFile): string[] {
  const extension = extensionOf(filename ?? name ?? '')
  const named =
    extension !== null && Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined
  const given = [filetype, type].find((text) => text?.includes('/'))
  const plain = given?.split(';')[0]?.trim().toLowerCase()
  const kinds = [plain, named].flatMap((kind) => (kind ? [kind] : []))
  return [...new Set(kinds)]
}

// Types as they are determined from the bytes. Other extensions are left to the bytes.
const byExtension: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  mp4: 'video/mp4',
  m4v: 'video/x-m4v',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  m4a: 'audio/x-m4a',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  pdf: 'application/pdf',
  zip: 'application/zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  html: 'text/html',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
}

/** What a content type checks of a file: its media type, and its size in bytes. */
type TypedFile = Pick<Asset, 'mimeType' | 'size'>

/** A new asset whose content type is to be found. */
interface AssetToType {
  readonly scope: Scope
  /** The content type that the caller names. */
  readonly name: string | undefined
  readonly asset: TypedFile
  /** The member of the input that brought the file. Default: `file`. */
  readonly member?: string
}

/**
 * The content type of a new asset: the named one, or the only one here that accepts such a file and
 * that the caller may upload. Errors: `invalid` for a type that does not accept files or this file,
 * and when none or several types match.
 */
export async function assetTypeFor(
  call: Call,
  { scope, name, asset, member }: AssetToType,
): Promise<ContentType> {
  if (name !== undefined) {
    const type = await typeNamed(call, { type: name, repositoryId: scope.repository.id })
    requireFitting(type, asset, member)
    return type
  }
  const fitting = (await assetTypesOf(call, scope)).filter((type) => problemOf(type, asset) === null)
  const [only, ...more] = fitting
  if (only && more.length === 0) return typeIn(call, only, scope.repository.id)
  const names = fitting.map((type) => type.name).join(', ')
  const message = only
    ? `is required: ${names} accept such a file`
    : `is required: no content type here accepts ${asset.mimeType}`
  throw invalid([{ path: 'type', message }])
}

/** The content types of which the caller may create assets in the scope. */
async function assetTypesOf(call: Call, { repository, branch }: Scope): Promise<readonly ContentType[]> {
  const { allowedTypes } = repository.settings
  const types = await call.store.records.list('type')
  return types.filter(
    ({ name, settings }) =>
      settings.isAsset &&
      (allowedTypes.length === 0 || allowedTypes.includes(name)) &&
      mayDo(call.identity.permissions, 'assets.upload', { ...branch, type: name }),
  )
}

/**
 * Errors: `invalid` when the type does not accept files, or not this one. `member` of the input
 * brought the file.
 */
export function requireFitting(type: ContentType, asset: TypedFile, member = 'file'): void {
  const message = problemOf(type, asset)
  if (message !== null) throw invalid([{ path: member, message }])
}

function problemOf({ name, settings }: ContentType, asset: TypedFile): string | null {
  if (!settings.isAsset) return `cannot be stored: the content type "${name}" does not accept files`
  // Types that were stored before these settings existed do not have them.
  const { mimeTypes = [], maxBytes } = settings as Partial<ContentType['settings']>
  const problem = fileProblem(asset, { mimeTypes, maxBytes })
  return problem && `${problem} (required by the content type "${name}")`
}
