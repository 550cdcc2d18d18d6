import { ExtractionRefused } from '@quire/core/ports'

/** Creates the error of a kind, with a message that says what is wrong. */
export function refused(kind: ExtractionRefused['kind'], cause?: unknown): ExtractionRefused {
  return new ExtractionRefused(kind, messages[kind], { cause })
}

const messages: Readonly<Record<ExtractionRefused['kind'], string>> = {
  unreadable: 'The file is damaged, encrypted, or not of its declared type: no text was read.',
  large: 'The file is too large, or needs too much memory: no text was read.',
  slow: 'The file takes too long to read: no text was read.',
  busy: 'Too many files are being read: no text of this one was read.',
  unsupported: 'The text of PDF files needs the package pdfjs-dist: run npm install pdfjs-dist.',
}
