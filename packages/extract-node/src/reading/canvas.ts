/** A matrix that moves nothing. */
class Matrix {
  scaleSelf(): this {
    return this
  }

  translateSelf(): this {
    return this
  }
}

/**
 * Stands in for the one part of a canvas that pdfjs-dist asks for while it reads glyphs that are pictures; nothing is drawn here. The
 * native canvas that it would take it from has 35 MB.
 */
export function drawInto(): void {
  Object.assign(globalThis, { DOMMatrix: Matrix })
}
