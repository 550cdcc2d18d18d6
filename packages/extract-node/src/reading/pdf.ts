import { fileURLToPath } from 'node:url'
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { drawInto } from './canvas.ts'
import type { Sheet } from './sheet.ts'

/** Writes the text of a PDF, page after page. Pages that are damaged are left out. Errors: for what cannot be opened: damaged, encrypted. */
export async function readPdf(bytes: Uint8Array, sheet: Sheet): Promise<void> {
  drawInto()
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    // Nothing of the file is run, drawn or fetched.
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    // Which characters the fonts of Chinese, Japanese and Korean files mean, and the widths of fonts that files leave out.
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

// In a row. A file may say that it has a thousand million pages, of which none is there.
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
