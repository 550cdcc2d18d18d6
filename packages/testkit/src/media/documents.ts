import { box, concat, latin1, uint32 } from './octets.ts'

/** A picture whose script would run if a browser showed it as a page of its own (TRUST S10). */
export const scriptedSvg = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" onload="window.quireRan = 'onload'">
  <script>window.quireRan = 'script'</script>
  <rect width="20" height="10" fill="#1e90ff"/>
</svg>
`

/** A page with a script. */
export const scriptedHtml = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Page</title></head>
  <body><script>window.quireRan = 'html'</script><p>A page.</p></body>
</html>
`

/** One empty A4 page, with a correct cross-reference table (ISO 32000-1 7.5). */
export function minimalPdf(): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const entries = objects.length + 1
  return latin1(
    `${text}xref\n0 ${entries}\n0000000000 65535 f \n${offsets.join('')}` +
      `trailer\n<< /Size ${entries} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  )
}

/**
 * A video of one second without tracks: recognizable as MP4, but nothing to play (ISO 14496-12).
 */
export function minimalMp4(): Uint8Array {
  const brands = concat([latin1('isom'), uint32(0x200), latin1('isomiso2mp41')])
  return concat([
    box('ftyp', brands),
    box('moov', box('mvhd', movieHeader())),
    box('mdat', new Uint8Array(8)),
  ])
}

function movieHeader(): Uint8Array {
  const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]
  const fields = [0, 0, 0, 1_000, 1_000, 0x10000, 0x0100_0000, 0, 0, ...matrix, 0, 0, 0, 0, 0, 0, 1]
  return concat(fields.map(uint32))
}
