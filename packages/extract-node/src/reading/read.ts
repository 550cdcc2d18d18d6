import type { ParsedKind } from '../kinds.ts'
import type { Sheet } from './sheet.ts'

/**
 * Writes the text of a file to the sheet. Each parser is loaded with its first file. Errors: for
 * files that cannot be read.
 */
export async function read(kind: ParsedKind, bytes: Uint8Array, sheet: Sheet): Promise<void> {
  switch (kind) {
    case 'docx':
      return (await import('./docx.ts')).readDocx(bytes, sheet)
    case 'html':
      return (await import('./html.ts')).readHtml(bytes, sheet)
    case 'markdown':
      return (await import('./markdown.ts')).readMarkdown(bytes, sheet)
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(bytes, sheet)
  }
}
