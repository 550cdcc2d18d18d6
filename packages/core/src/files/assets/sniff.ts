import { extensionOf } from './file-name.ts'

/** What bytes are. */
export interface Sniffed {
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
