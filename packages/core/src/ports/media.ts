/** The formats that pictures are made in. */
export const imageFormats = ['avif', 'webp', 'jpeg', 'png'] as const

/** A format that pictures are made in. */
export type ImageFormat = (typeof imageFormats)[number]

/** What a picture is, as people see it: turned as its orientation says. */
export interface ImageInfo {
  readonly width: number
  readonly height: number
  /** Frames of an animation, pages of a document; 1 for a plain picture. */
  readonly pages: number
  readonly hasAlpha: boolean
}

/** A point of a picture, from 0 to 1 of its width and height, from its upper left corner. */
export interface FocalPoint {
  readonly x: number
  readonly y: number
}

/** How a picture is to be made of another. */
export interface Recipe {
  /** Pixels; null: as the height asks for. Never more than the source has. */
  readonly width: number | null
  /** Pixels; null: as the width asks for. */
  readonly height: number | null
  /**
   * `inside`: as large as fits into both, the whole picture; `cover`: both filled, the rest cut off around the focal point;
   * `contain`: both filled by the whole picture and transparent (in JPEG white) margins.
   */
  readonly fit: 'inside' | 'cover' | 'contain'
  readonly format: ImageFormat
  /** 1 to 100. */
  readonly quality: number
  /** What `cover` keeps in view; null: the middle. */
  readonly focalPoint: FocalPoint | null
}

/** A picture that was made. */
export interface MadeImage {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** Loads the bytes of a source: called once, when it is its turn, and never for what is refused as `busy`. What it throws is passed on. */
export type SourceBytes = () => Promise<Uint8Array>

/**
 * What looks into pictures and makes others of them. Bounded by itself: pixels, pages, time, and how many at once (TRUST S14).
 * It never fetches anything and never runs what it reads. SVG is no picture to it.
 */
export interface Media {
  /**
   * Null for what is no picture that it reads. Concurrent calls: as for `make`. Cost: the source in memory, of which the head alone is read.
   * Errors: MediaRefused `large` for too many pixels or pages, `slow`, `busy`; those of the source.
   */
  probe(source: SourceBytes): Promise<ImageInfo | null>
  /**
   * The picture that a recipe asks for: orientation applied, metadata dropped but the colour profile. Animations stay animated in WebP
   * and become their first frame in other formats. Concurrent calls: so many at a time, others wait and hold no bytes meanwhile.
   * Errors: MediaRefused; those of the source.
   */
  make(source: SourceBytes, recipe: Recipe): Promise<MadeImage>
}

/** Why no picture was made. `unreadable`: damaged, or no picture; `large`, `slow`: past a limit; `busy`: too many at once, try again. */
export class MediaRefused extends Error {
  override readonly name = 'MediaRefused'
  readonly kind: 'unreadable' | 'large' | 'slow' | 'busy'
  constructor(kind: 'unreadable' | 'large' | 'slow' | 'busy', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
