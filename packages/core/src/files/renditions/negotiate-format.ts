import { type ImageFormat, imageFormats } from '../../ports/index.ts'

/** What determines the format of a rendition. */
export interface Negotiation {
  /** The `Accept` header; undefined: everything is accepted. */
  readonly accept: string | undefined
  /** The format named by a request or a preset. */
  readonly asked: ImageFormat | 'jpg' | undefined
  /** The media type of the source. */
  readonly mimeType: string
  readonly pages: number
}

/**
 * The requested format. Otherwise the one with the highest weight among the formats that the caller
 * names, and the source's own if a range such as `image/*` includes it. With equal weights AVIF
 * comes before WebP, JPEG and PNG. Animations lose their motion in every format but WebP, so for
 * them WebP comes first and AVIF last.
 * A caller who accepts none of these gets JPEG, or PNG for a GIF. A format of weight 0 is never
 * used, unless all have weight 0.
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

/**
 * The first format that is not refused: first the ones that every program reads, then the others.
 */
function untakenFormat(ranges: Ranges, mimeType: string): ImageFormat {
  const usual = usualFormat(mimeType)
  const others = ['jpeg', 'png', 'webp', 'avif'] as const satisfies ImageFormat[]
  return [usual, ...others].find((format) => weightOf(ranges, format) !== 0) ?? usual
}

const forAnimations = ['webp', 'jpeg', 'png', 'avif'] as const satisfies ImageFormat[]

function ownFormat(mimeType: string): ImageFormat {
  return imageFormats.find((format) => mimeType === `image/${format}`) ?? usualFormat(mimeType)
}

/** A GIF may be transparent, so it becomes PNG. */
function usualFormat(mimeType: string): ImageFormat {
  return mimeType === 'image/gif' ? 'png' : 'jpeg'
}

type Ranges = ReadonlyMap<string, number>

/**
 * The weight of the most specific range that includes a format (RFC 9110 §12.5.1); undefined when
 * none does.
 */
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

/**
 * The weight: 0 to 1 with at most three decimals (RFC 9110 §12.4.2); 1 when it is missing or
 * invalid.
 */
function weightIn(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 1
}
