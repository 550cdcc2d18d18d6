import { deflateSync } from 'node:zlib'

/** An object of a PDF: its dictionary, and the bytes of its stream when it has one. */
export interface PdfObject {
  readonly dictionary: string
  readonly stream?: Uint8Array
}

/**
 * A PDF of these objects, numbered from 1; the first is the catalog. `trailer` is added to its
 * trailer.
 */
export function pdfOf(objects: readonly PdfObject[], trailer = ''): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n', 'latin1')]
  let length = parts[0]?.length ?? 0
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  const offsets = objects.map(({ dictionary, stream }, index) => {
    const offset = length
    add(Buffer.from(`${index + 1} 0 obj\n${dictionary}\n`, 'latin1'))
    if (stream) {
      add(Buffer.from('stream\n', 'latin1'))
      add(Buffer.from(stream))
      add(Buffer.from('\nendstream\n', 'latin1'))
    }
    add(Buffer.from('endobj\n', 'latin1'))
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = length
  const size = objects.length + 1
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`, 'latin1'))
  add(
    Buffer.from(
      `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
      'latin1',
    ),
  )
  return Uint8Array.from(Buffer.concat(parts))
}

/** A PDF with these pages of lines, in Helvetica. */
export function pdfOfPages(pages: readonly (readonly string[])[], trailer = ''): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  return pdfOf(
    [
      { dictionary: '<< /Type /Catalog /Pages 2 0 R >>' },
      { dictionary: `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>` },
      { dictionary: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>' },
      ...pages.flatMap((lines, index) => [
        pageObject(`${5 + index * 2} 0 R`, '/F1 3 0 R'),
        contentObject(drawn(lines)),
      ]),
    ],
    trailer,
  )
}

/** A page with these contents and fonts. */
export function pageObject(contents: string, fonts: string): PdfObject {
  const resources = `/Resources << /Font << ${fonts} >> >>`
  return {
    dictionary: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contents} ${resources} >>`,
  }
}

/** A deflated content stream. */
export function contentObject(content: string): PdfObject {
  return deflated(deflateSync(Buffer.from(content, 'latin1')))
}

/** A stream of deflated bytes. */
export function deflated(stream: Uint8Array): PdfObject {
  return { dictionary: `<< /Length ${stream.length} /Filter /FlateDecode >>`, stream }
}

function drawn(lines: readonly string[]): string {
  const visible = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj 0 -20 Td`)
  return `BT /F1 12 Tf 72 720 Td ${visible.join(' ')} ET`
}
