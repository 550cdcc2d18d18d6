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
 * The format that was asked for, else of those that the caller names, and of the source's own where a range as `image/*` takes it, the one of the
 * highest weight: AVIF before WebP, JPEG and PNG of the same weight. Animations are WebP or lose their motion: there WebP is first and AVIF last.
 * Who takes none of these gets JPEG, and PNG of a GIF. A format of weight 0 is never given, unless all have it.
 */
export function negotiatedFormat({ accept = '*/*', asked, mimeType, pages }: Negotiation): ImageFormat {
  if (asked) return asked === 'jpg' ? 'jpeg' : asked
  const ranges = rangesOf(accept)
  const isAnimated = pages > 1 && ['image/gif', 'image/webp'].includes(mimeType)
  const own = isAnimated ? 'webp' : ownFormat(mimeType)
  const [best] = (isAnimated ? forAnimations : imageFormats)
    .filter((format) => format === own || ranges.has(`image/${format}`))
    .map((format) => ({ format, weight: weightOf(ranges, format) ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return best?.format ?? untakenFormat(ranges, mimeType)
}

/** The first that is not refused of those that every program reads, then of the others. */
function untakenFormat(ranges: Ranges, mimeType: string): ImageFormat {
  const usual = usualFormat(mimeType)
  const others = ['jpeg', 'png', 'webp', 'avif'] as const satisfies ImageFormat[]
  return [usual, ...others].find((format) => weightOf(ranges, format) !== 0) ?? usual
}

const forAnimations = ['webp', 'jpeg', 'png', 'avif'] as const satisfies ImageFormat[]

function ownFormat(mimeType: string): ImageFormat {
  return imageFormats.find((format) => mimeType === `image/${format}`) ?? usualFormat(mimeType)
}

/** A GIF may be transparent. */
function usualFormat(mimeType: string): ImageFormat {
  return mimeType === 'image/gif' ? 'png' : 'jpeg'
}

type Ranges = ReadonlyMap<string, number>

/** The weight of the most specific range that a format is in (RFC 9110 §12.5.1); undefined: it is in none. */
function weightOf(ranges: Ranges, format: ImageFormat): number | undefined {
  return ranges.get(`image/${format}`) ?? ranges.get('image/*') ?? ranges.get('*/*')
}

/** The media ranges of `Accept` with their weights. */
function rangesOf(accept: string): Ranges {
  const ranges = new Map<string, number>()
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (type !== '') ranges.set(type, weightIn(parameters))
  }
  return ranges
}

/** 1 where none is given, and where it is none: 0 to 1 with three decimals at most (RFC 9110 §12.4.2). */
function weightIn(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 1
}
