import { imageFormats, type ImageFormat } from '../ports/index.ts'

/** What decides the format of a picture. */
export interface Negotiation {
  /** The header `Accept`; undefined: everything. */
  readonly accept: string | undefined
  /** The format that a request or a preset names. */
  readonly asked: ImageFormat | 'jpg' | undefined
  /** What the source is. */
  readonly mimeType: string
  readonly pages: number
}

/**
 * The format that was asked for, else the best that the caller names: AVIF, then WebP. A caller that names neither gets what the source is, as far
 * as pictures are made in it. Animations are WebP or lose their motion, so that they never become AVIF by themselves.
 */
export function negotiatedFormat({ accept = '*/*', asked, mimeType, pages }: Negotiation): ImageFormat {
  if (asked) return asked === 'jpg' ? 'jpeg' : asked
  const named = new Set(acceptedTypes(accept))
  if (named.has('image/avif') && pages === 1) return 'avif'
  if (named.has('image/webp') || pages > 1) return 'webp'
  const own = imageFormats.find((format) => mimeType === `image/${format}`)
  if (own && (named.has(mimeType) || isOpen(named))) return own
  return mimeType === 'image/gif' ? 'png' : 'jpeg'
}

function isOpen(named: ReadonlySet<string>): boolean {
  return named.has('*/*') || named.has('image/*')
}

/** The media types of `Accept` that are not refused by a weight of 0 (RFC 9110 §12.5.1). */
function acceptedTypes(accept: string): string[] {
  return accept.split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return isRefused || type === '' ? [] : [type]
  })
}
