import type { ExtractedType } from '@quire/core/ports'

/** The kinds of file that need a parser. */
export type ParsedKind = 'docx' | 'html' | 'markdown' | 'pdf'

/** How each kind of file is read: by a parser, or only decoded as plain text. */
export const readers: Readonly<Record<ExtractedType, ParsedKind | 'plain'>> = {
  'application/json': 'plain',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/xhtml+xml': 'html',
  'application/yaml': 'plain',
  'text/csv': 'plain',
  'text/html': 'html',
  'text/markdown': 'markdown',
  'text/plain': 'plain',
  'text/vtt': 'plain',
}
