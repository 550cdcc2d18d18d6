import type { ContentType } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { fileProblem } from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import { assetTypesOf } from './asset-type.ts'
import { extensionOf } from './file-name.ts'

/** What is said of a file before it comes. */
export interface GivenFile {
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
