import type { ExtractedType } from '@quire/core/ports'

/** The kinds of file that a parser of its own reads. */
export type ParsedKind = 'docx' | 'html' | 'markdown' | 'pdf'

/** Who reads a kind of file: a parser, or nobody but a decoder of text. */
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
