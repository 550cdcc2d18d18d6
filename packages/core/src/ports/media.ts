/** The formats in which images are made. */
export const imageFormats = ['avif', 'webp', 'jpeg', 'png'] as const

/** A format in which images are made. */
export type ImageFormat = (typeof imageFormats)[number]

/** The properties of an image as people see it: rotated according to its orientation. */
export interface ImageInfo {
  readonly width: number
  readonly height: number
  /** Frames of an animation or pages of a document; 1 for a plain image. */
  readonly pages: number
  readonly hasAlpha: boolean
}

/**
 * A point in an image, as fractions (0 to 1) of its width and height from the upper left corner.
 */
export interface FocalPoint {
  readonly x: number
  readonly y: number
}

/** How to make an image from another one. */
export interface Recipe {
  /** Pixels; null: derived from the height. The result is never larger than the source. */
  readonly width: number | null
  /** Pixels; null: derived from the width. */
  readonly height: number | null
  /**
   * `inside`: the whole image, as large as fits into both; `cover`: fills both, and the rest is cut
   * off around the focal point; `contain`: fills both with the whole image and transparent margins
   * (white in JPEG).
   */
  readonly fit: 'inside' | 'cover' | 'contain'
  readonly format: ImageFormat
  /** 1 to 100. */
  readonly quality: number
  /** The point that `cover` keeps in view; null: the center. */
  readonly focalPoint: FocalPoint | null
}

/** An image that was made. */
export interface MadeImage {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/**
 * Loads the bytes of a source. Called at most once, when the request's turn comes, and never for
 * one refused as `busy`. Its errors are rethrown.
 */
export type SourceBytes = () => Promise<Uint8Array>

/**
 * Inspects images and makes others from them. It limits its own use of pixels, pages, time and
 * concurrency (TRUST S14). It never fetches anything and never executes what it reads. It does not
 * treat SVG as an image.
 */
export interface Media {
  /**
   * The properties of an image; null if the source is not an image that the adapter can read.
   * Concurrent calls: as for `make`. Cost: the source in memory, although only its header is
   * parsed. Errors: MediaRefused `large` for too many pixels or pages, `slow`, `busy`; those of the
   * source.
   */
  probe(source: SourceBytes): Promise<ImageInfo | null>
  /**
   * The image that a recipe describes: the orientation is applied, and all metadata except the
   * color profile is removed. Animations stay animated in WebP and become their first frame in
   * other formats. Concurrent calls: a limited number runs at a time; others wait and hold no bytes
   * meanwhile. Errors: MediaRefused; those of the source.
   */
  make(source: SourceBytes, recipe: Recipe): Promise<MadeImage>
}

/**
 * Why no image was made. `unreadable`: damaged, or not an image; `large`, `slow`: over a limit;
 * `busy`: too many at once, try again.
 */
export class MediaRefused extends Error {
  override readonly name = 'MediaRefused'
  readonly kind: 'unreadable' | 'large' | 'slow' | 'busy'
  constructor(kind: 'unreadable' | 'large' | 'slow' | 'busy', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
