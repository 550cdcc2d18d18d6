/** A matrix whose methods do nothing. */
class Matrix {
  scaleSelf(): this {
    return this
  }

  translateSelf(): this {
    return this
  }
}

/**
 * Replaces the only part of a canvas that pdfjs-dist needs to read glyphs that are pictures.
 * Nothing is drawn here. The native canvas that it would use instead takes 35 MB.
 */
export function drawInto(): void {
  Object.assign(globalThis, { DOMMatrix: Matrix })
}
