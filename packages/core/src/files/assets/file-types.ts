import type { ContentType } from '@quire/contract'
import { extensionOf } from './file-name.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { fileProblem, type Asset } from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { typeNamed } from '../../content/types/find.ts'

/** What bytes are. */
interface Sniffed {
  readonly mimeType: string
  /** Without the dot. */
  readonly extension: string
}

/** The first bytes that tell what a file is; archives of documents name their kind within so many. */
export const sniffedBytes = 64 * 1024

/** What a file is by its first bytes; the name only tells texts from each other, which are all saved and never shown (TRUST S10). */
export async function sniff(head: Uint8Array, fileName: string): Promise<Sniffed> {
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

function sniffText(head: Uint8Array, fileName: string): Sniffed {
  const named = extensionOf(fileName)
  const encoding = encodingOf(head)
  if (encoding === null) return { mimeType: 'application/octet-stream', extension: named ?? 'bin' }
  const text = new TextDecoder(encoding).decode(head).trimStart()
  const start = text.replaceAll(/<\?[^>]*>|<!--[\s\S]*?-->|<!doctype\s+svg[^>]*>/gi, '').trimStart()
  if (/^<svg[\s>]/i.test(start)) return { mimeType: 'image/svg+xml', extension: 'svg' }
  if (text.startsWith('<?xml')) {
    // A browser reads a page of XML as a page of HTML, with its scripts: it is one for whoever serves it.
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

/** What a text is written in; null for what is none. UTF-16 is told by its mark: every second byte of it may be 0. */
function encodingOf(head: Uint8Array): string | null {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return head.includes(0) ? null : 'utf-8'
}

/** Whether it is a kind of text that only its name tells from others. */
export function isNamedText(mimeType: string): boolean {
  return Object.values(texts).includes(mimeType)
}

/** Whether a browser may show it: raster pictures, film and sound. Everything else is saved. */
export function isVisible(mimeType: string): boolean {
  return /^image\/(jpeg|png|gif|webp|avif)$|^(video|audio)\/[\w.+-]+$/.test(mimeType)
}

/** What bytes are served as. Never as a script: a page of the same origin could load it, though it is an attachment (TRUST S10). */
export function servedType(mimeType: string): string {
  return /(?:java|ecma)script/.test(mimeType) ? 'text/plain' : mimeType
}

/** What is said of a file before it comes. */
interface GivenFile {
  readonly filename?: string | undefined
  readonly name?: string | undefined
  readonly filetype?: string | undefined
  /** Uppy says here what `filetype` is for. */
  readonly type?: string | undefined
  /** Bytes. */
  readonly length: number
}

/**
 * Refuses a file whose content type is not said and does not follow from its name and what its sender takes it for, so that nobody sends
 * gigabytes to learn it. The bytes decide in the end: what passes here may still be refused. Errors: `invalid`.
 */
export async function requireTypeFor(call: Call, scope: Scope, given: GivenFile): Promise<void> {
  const types = await assetTypesOf(call, scope)
  const kinds = kindsOf(given)
  const fitting = types.filter((type) => takesAny(type, kinds, given.length))
  if (fitting.length === 1) return
  const names = fitting.map(({ name }) => name).join(', ')
  const what = kinds.length === 0 ? 'such a file' : kinds.join(' or ')
  const message = names
    ? `is required: ${names} take such a file`
    : `is required: no content type here takes ${what}`
  throw invalid([{ path: 'type', message }])
}

function takesAny({ settings }: ContentType, kinds: readonly string[], size: number): boolean {
  // Types that were kept before these settings came have none of them.
  const { mimeTypes = [], maxBytes } = settings as Partial<ContentType['settings']>
  if (kinds.length === 0) return fileProblem({ mimeType: '', size }, { mimeTypes: [], maxBytes }) === null
  return kinds.some((mimeType) => fileProblem({ mimeType, size }, { mimeTypes, maxBytes }) === null)
}

/** What the file may be, by what its sender says and by its name; none: nothing is said that tells. */
function kindsOf({ filename, name, filetype, type }: GivenFile): string[] {
  const extension = extensionOf(filename ?? name ?? '')
  const named =
    extension !== null && Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined
  const given = [filetype, type].find((text) => text?.includes('/'))
  const plain = given?.split(';')[0]?.trim().toLowerCase()
  const kinds = [plain, named].flatMap((kind) => (kind ? [kind] : []))
  return [...new Set(kinds)]
}

// As their bytes are told to be. What is not here is left to the bytes.
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

/**
 * The content type of a new asset: the one that is named, or the only one here that takes such a file and that the caller may upload.
 * Errors: `invalid` for a type that takes none or not this one, and when none or several could be meant.
 */
export async function assetTypeFor(
  call: Call,
  { scope, name, asset }: { scope: Scope; name: string | undefined; asset: Asset },
): Promise<ContentType> {
  if (name !== undefined) {
    const type = await typeNamed(call, name)
    requireFitting(type, asset)
    return type
  }
  const fitting = (await assetTypesOf(call, scope)).filter((type) => problemOf(type, asset) === null)
  const [only, ...more] = fitting
  if (only && more.length === 0) return only
  const names = fitting.map((type) => type.name).join(', ')
  const message = only
    ? `is required: ${names} take such a file`
    : `is required: no content type here takes ${asset.mimeType}`
  throw invalid([{ path: 'type', message }])
}

/** The content types of which the caller may make assets there. */
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

/** Errors: `invalid` when the type takes no file, or not this one. */
export function requireFitting(type: ContentType, asset: Asset): void {
  const message = problemOf(type, asset)
  if (message !== null) throw invalid([{ path: 'file', message }])
}

function problemOf({ name, settings }: ContentType, asset: Asset): string | null {
  if (!settings.isAsset) return `cannot be kept: the content type "${name}" takes no file`
  // Types that were kept before these settings came have none of them.
  const { mimeTypes = [], maxBytes } = settings as Partial<ContentType['settings']>
  const problem = fileProblem(asset, { mimeTypes, maxBytes })
  return problem && `${problem}: so says the content type "${name}"`
}
