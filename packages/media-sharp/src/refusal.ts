import { MediaRefused } from '@quire/core/ports'

/** Translates an error about a picture to one of the port; returns a MediaRefused unchanged. */
export function refusal(error: unknown): MediaRefused {
  if (error instanceof MediaRefused) return error
  const text = error instanceof Error ? error.message : String(error)
  return refused(kindOf(text), error)
}

/** Creates the error of a kind, with a message that says what to do. */
export function refused(kind: MediaRefused['kind'], cause?: unknown): MediaRefused {
  return new MediaRefused(kind, messages[kind], { cause })
}

/**
 * Errors of sharp have no codes, only its own messages and those of libvips. An error that is not
 * about a limit is about the file.
 */
function kindOf(text: string): MediaRefused['kind'] {
  if (text.startsWith('timeout:')) return 'slow'
  if (/exceeds (?:pixel|channel|\d+x\d+ pixel) limit|too large for/.test(text)) return 'large'
  return 'unreadable'
}

const messages: Readonly<Record<MediaRefused['kind'], string>> = {
  unreadable: 'The file is damaged, or not a supported picture: save it again as PNG, JPEG or WebP.',
  large: 'The picture has too many pixels or too many pages: make it smaller.',
  slow: 'The picture takes too long to make: request a smaller one, or another format.',
  busy: 'Too many pictures are being made: try again in a moment.',
}
