import { type FocalPoint, MediaRefused, type Recipe } from '@quire/core/ports'

/**
 * The longest side of a rendition in pixels (TRUST 4.2). At half, current screens are not filled;
 * at twice, AVIF takes minutes.
 */
export const LONGEST_SIDE = 6_000

/** The size of a picture in pixels, after applying its orientation. */
export interface Size {
  readonly width: number
  readonly height: number
}

/**
 * How a picture is placed on its canvas: scaled first, then moved, so that decoders can shrink it
 * while they read.
 */
export interface Layout {
  readonly canvas: Size
  readonly scaled: Size
  /**
   * Pixels from the left edge of the canvas to that of the scaled picture: negative where the
   * picture is cut off, positive where there is a margin.
   */
  readonly left: number
  /** The same for the top edges. */
  readonly top: number
}

/**
 * Computes the layout of a source by a recipe. A missing side follows from the other one, and is
 * never longer than `LONGEST_SIDE`.
 * Errors: MediaRefused `large` for a given side that is longer than that.
 */
export function layOut(source: Size, recipe: Recipe): Layout {
  const { width, height, fit } = recipe
  requireMakeable(width ?? 1, height ?? 1)
  if (fit === 'inside' || width === null || height === null)
    return inside(source, { width: width ?? LONGEST_SIDE, height: height ?? LONGEST_SIDE })
  const canvas = { width: Math.min(width, source.width), height: Math.min(height, source.height) }
  return fit === 'cover' ? cover(source, canvas, recipe.focalPoint ?? middle) : contain(source, canvas)
}

const middle: FocalPoint = { x: 0.5, y: 0.5 }

function requireMakeable(width: number, height: number): void {
  if (Math.max(width, height) > LONGEST_SIDE)
    throw new MediaRefused(
      'large',
      `A side of a picture may have up to ${LONGEST_SIDE} px: request a smaller one than ${width} × ${height}.`,
    )
}

function inside(source: Size, box: Size): Layout {
  const scaled = scale(source, Math.min(1, box.width / source.width, box.height / source.height))
  return { canvas: scaled, scaled, left: 0, top: 0 }
}

function cover(source: Size, canvas: Size, focal: FocalPoint): Layout {
  const scaled = scale(source, Math.max(canvas.width / source.width, canvas.height / source.height))
  return {
    canvas,
    scaled,
    left: -cutBefore(scaled.width, canvas.width, focal.x),
    top: -cutBefore(scaled.height, canvas.height, focal.y),
  }
}

/**
 * The pixels to cut off at the start, so that the focal point is as close to the middle as
 * possible.
 */
function cutBefore(length: number, stored: number, focal: number): number {
  return Math.min(Math.max(Math.round(length * focal - stored / 2), 0), length - stored)
}

function contain(source: Size, canvas: Size): Layout {
  const scaled = scale(source, Math.min(canvas.width / source.width, canvas.height / source.height))
  return {
    canvas,
    scaled,
    left: Math.floor((canvas.width - scaled.width) / 2),
    top: Math.floor((canvas.height - scaled.height) / 2),
  }
}

function scale({ width, height }: Size, factor: number): Size {
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}
