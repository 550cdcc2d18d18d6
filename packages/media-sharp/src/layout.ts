import { type FocalPoint, MediaRefused, type Recipe } from '@quire/core/ports'

/** The longest side of a picture that is made, in pixels (TRUST 4.2). At half, screens of today are not filled; at twice, AVIF takes minutes. */
export const LONGEST_SIDE = 6_000

/** Pixels, of a picture as people see it. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** How a picture is laid onto its canvas: scaled first, then moved, so that decoders may shrink while they read. */
export interface Layout {
  readonly canvas: Size
  readonly scaled: Size
  /** Pixels from the upper left corner of the canvas to that of the scaled picture: below 0 where it is cut off, above 0 where there is a margin. */
  readonly left: number
  readonly top: number
}

/**
 * Where a source comes to lie by a recipe. A side that is not given is as long as the other asks for, and never longer than `LONGEST_SIDE`.
 *
 * Errors: MediaRefused `large` for a side that is given and longer than that.
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
      `Pictures are made up to ${LONGEST_SIDE} px a side: ask for a smaller one than ${width} × ${height}.`,
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

/** The pixels that are cut off in front so that the focal point is as near to the middle as the picture reaches. */
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
