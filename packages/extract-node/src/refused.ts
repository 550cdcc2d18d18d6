import { ExtractionRefused } from '@quire/core/ports'

/** A refusal in the words that its reader can act on. */
export function refused(kind: ExtractionRefused['kind'], cause?: unknown): ExtractionRefused {
  return new ExtractionRefused(kind, messages[kind], { cause })
}

const messages: Readonly<Record<ExtractionRefused['kind'], string>> = {
  unreadable: 'The file is damaged, encrypted, or not what it says: no text was read.',
  large: 'The file is too large, or takes too much memory to read: no text was read.',
  slow: 'The file takes too long to read: no text was read.',
  busy: 'Too many files are being read: this one was not.',
}
