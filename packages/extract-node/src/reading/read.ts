import type { ParsedKind } from '../kinds.ts'
import type { Sheet } from './sheet.ts'

/** Writes the text of a file. A parser is loaded when its first file comes. Errors: for files of which nothing can be read. */
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
