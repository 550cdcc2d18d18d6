import { MediaRefused } from '@quire/core/ports'

/** What was found out about a picture that cannot be made, as the port says it; what is already said so stays. */
export function refusal(error: unknown): MediaRefused {
  if (error instanceof MediaRefused) return error
  const text = error instanceof Error ? error.message : String(error)
  return refused(kindOf(text), error)
}

/** The refusal of a kind, in the words that its reader can act on. */
export function refused(kind: MediaRefused['kind'], cause?: unknown): MediaRefused {
  return new MediaRefused(kind, messages[kind], { cause })
}

/** sharp gives its errors no codes, but its own words and those of libvips: everything it does not say of a limit is about the file. */
function kindOf(text: string): MediaRefused['kind'] {
  if (text.startsWith('timeout:')) return 'slow'
  if (/exceeds (?:pixel|channel|\d+x\d+ pixel) limit|too large for/.test(text)) return 'large'
  return 'unreadable'
}

const messages: Readonly<Record<MediaRefused['kind'], string>> = {
  unreadable: 'The file is damaged, or no picture that can be read: save it again as PNG, JPEG or WebP.',
  large: 'The picture has too many pixels or too many pages: make it smaller.',
  slow: 'The picture takes too long to make: ask for a smaller one, or for another format.',
  busy: 'Too many pictures are being made: try again in a moment.',
}
