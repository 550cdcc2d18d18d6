/** A point of a picture, from its left (0) to its right edge (1) and from its top to its bottom. */
export interface Point {
  readonly x: number
  readonly y: number
}

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Where a picture that fills a box begins, as CSS `object-position` in percent, so that the point is as
 * near to the middle of the box as the edges of the picture permit. The service crops in the same way.
 */
export function cropAt(picture: Size, box: Size, { x, y }: Point): Point {
  const wider = picture.width / picture.height / (box.width / box.height)
  return { x: along(Math.max(1, wider), x), y: along(Math.max(1, 1 / wider), y) }
}

/** `length`: of the picture along one axis, where the box has the length 1. */
function along(length: number, point: number): number {
  if (length === 1) return 50
  const start = Math.max(0, Math.min(length - 1, point * length - 0.5))
  return (start / (length - 1)) * 100
}
