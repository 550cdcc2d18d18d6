import { fileURLToPath } from 'node:url'
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { drawInto } from './canvas.ts'
import type { Sheet } from './sheet.ts'

/**
 * Writes the text of a PDF, page by page. Damaged pages are left out. Errors: for a file that
 * cannot be opened because it is damaged or encrypted.
 */
export async function readPdf(bytes: Uint8Array, sheet: Sheet): Promise<void> {
  drawInto()
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    // Nothing in the file is executed, rendered or fetched.
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    // Character maps for Chinese, Japanese and Korean fonts, and the widths of fonts that are not
    // embedded.
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: folder('standard_fonts'),
  })
  try {
    await writePages(await task.promise, sheet)
  } finally {
    await task.destroy()
  }
}

function folder(name: string): string {
  return fileURLToPath(new URL(`${name}/`, import.meta.resolve('pdfjs-dist/package.json')))
}

// Damaged pages in a row after which reading stops. A file may claim to have a billion pages, none
// of which exists.
const mostDamaged = 50

async function writePages(document: PDFDocumentProxy, sheet: Sheet): Promise<void> {
  let damaged = 0
  for (let number = 1; number <= document.numPages && damaged < mostDamaged && !sheet.isFull(); number += 1) {
    try {
      await writePage(await document.getPage(number), sheet)
      damaged = 0
    } catch {
      damaged += 1
    }
  }
  if (damaged > 0 && sheet.isBlank()) throw new Error('No page can be read.')
}

async function writePage(page: PDFPageProxy, sheet: Sheet): Promise<void> {
  const { items } = await page.getTextContent()
  for (const item of items) {
    if (!('str' in item)) continue
    sheet.write(item.str)
    if (item.hasEOL) sheet.write('\n')
  }
  sheet.write('\n')
  page.cleanup()
}
