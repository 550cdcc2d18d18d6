import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { docx, outcomeOf } from '../test/extract.ts'
import { contentObject, pageObject, pdfOf, pdfOfPages } from '../test/pdf.ts'
import { nodeExtraction } from './index.ts'

const extraction = nodeExtraction()
const html = (text: string | Uint8Array) => outcomeOf(extraction, 'text/html', bytesOf(text))
const markdown = (text: string) => outcomeOf(extraction, 'text/markdown', bytesOf(text))
const plain = (bytes: Uint8Array) => outcomeOf(extraction, 'text/plain', bytes)

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text
}

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))

/** A Word document as archive tools write it. */
async function wordOf(body: string, others: Readonly<Record<string, string>> = {}): Promise<Uint8Array> {
  const zip = new JSZip()
  zip.file('[Content_Types].xml', '<Types/>')
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  zip.file('word/document.xml', `<?xml version="1.0"?><w:document ${w}><w:body>${body}</w:body></w:document>`)
  for (const [name, text] of Object.entries(others)) zip.file(name, text)
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
}

describe('of plain text', () => {
  it('reads UTF-16 by its byte order mark, in both byte orders', async () => {
    const little = Buffer.from('\ufeffŁódź 雨', 'utf16le')
    expect(await plain(little)).toEqual({ text: 'Łódź 雨' })
    expect(await plain(Buffer.from(little).swap16())).toEqual({ text: 'Łódź 雨' })
  })

  it('reads windows-1252 if the result looks like text', async () => {
    expect(await plain(latin1('Stra\xdfe, caf\xe9, \x80 5'))).toEqual({ text: 'Straße, café, € 5' })
  })

  it('returns null for a script that nothing identifies, instead of wrong letters', async () => {
    const russian = Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0)
    expect(await plain(russian)).toEqual({ text: null })
  })

  it('returns null for random bytes that are declared as text', async () => {
    const noise = Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 255)
    expect(await plain(noise)).toEqual({ text: null })
  })
})

describe('of HTML', () => {
  it('drops markup, scripts and styles, and decodes entities', async () => {
    const page =
      '<!doctype html><title>Ink &amp; rain</title><style>p{color:red}</style><script>var x = "<p>no</p>"</script>' +
      '<p>ca<b>f</b>&eacute;<p>two<br>three<ul><li>four<li>five</ul><!-- six --><table><td>7<td>8</table>'
    expect(await html(page)).toEqual({ text: 'Ink & rain\n\ncafé\n\ntwo\n\nthree\n\nfour\n\nfive\n\n7\n\n8' })
  })

  it('reads the encoding that the page names', async () => {
    const page = [...latin1('<meta charset="Shift_JIS"><p>'), 0x93, 0xfa, 0x96, 0x7b, ...latin1('</p>')]
    expect(await html(Uint8Array.from(page))).toEqual({ text: '日本' })
  })

  it('reads a page that names an unknown encoding', async () => {
    expect(await html('<meta charset="klingon"><p>Grüße')).toEqual({ text: 'Grüße' })
  })
})

describe('of Markdown', () => {
  it('drops markup and link targets', async () => {
    const text =
      '# Ink\n\nThat *re*members [rain](https://example.org/secret).\n\n```js\nlet code = 1\n```\n<b>bold</b>\n'
    expect(await markdown(text)).toEqual({ text: 'Ink\n\nThat remembers rain.\n\nlet code = 1\n\nbold' })
  })

  it('returns unparsable source unchanged', async () => {
    expect(await markdown(`${'>'.repeat(20_000)} deep`)).toEqual({ text: expect.stringMatching(/deep$/) })
  })
})

describe('of docx', () => {
  it('reads paragraphs, runs, tabs and tables, and leaves out what was deleted', async () => {
    const body =
      '<w:p><w:r><w:t>In</w:t></w:r><w:r><w:t>k &amp;</w:t><w:tab/><w:t xml:space="preserve"> rain</w:t></w:r></w:p>' +
      '<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText><w:t>kept</w:t></w:r></w:p>' +
      '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>left</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>right</w:t></w:r></w:p></w:tc></w:tr></w:tbl>'
    const { text } = { text: null, ...(await outcomeOf(extraction, docx, await wordOf(body))) }
    expect(text?.split(/\s+/)).toEqual(['Ink', '&', 'rain', 'kept', 'left', 'right'])
  })

  it('reads headers, footers and notes after the body', async () => {
    const beside = {
      'word/header1.xml': '<x:hdr><x:p><x:t>head</x:t></x:p></x:hdr>',
      'word/footnotes.xml': '<w:footnotes><w:p><w:t>note</w:t></w:p></w:footnotes>',
      'word/styles.xml': '<w:styles><w:t>style</w:t></w:styles>',
    }
    const bytes = await wordOf('<w:p><w:t>body</w:t></w:p>', beside)
    const found = await outcomeOf(extraction, docx, bytes)
    expect(found).toEqual({ text: 'body\nhead\nnote' })
  })

  it('refuses an archive that contains no document', async () => {
    const zip = new JSZip()
    zip.file('readme.txt', 'x')
    const bytes = await zip.generateAsync({ type: 'uint8array' })
    expect(await outcomeOf(extraction, docx, bytes)).toEqual({ refused: 'unreadable' })
  })
})

describe('of PDF', () => {
  const pdf = (bytes: Uint8Array) => outcomeOf(extraction, 'application/pdf', bytes)

  it('reads the lines of its pages, page by page', async () => {
    const bytes = pdfOfPages([['Ink that remembers', 'the rain'], ['second page']])
    expect(await pdf(bytes)).toEqual({ text: 'Ink that remembers\nthe rain\nsecond page' })
  })

  it('reads Japanese whose font names an encoding and is not embedded', async () => {
    const bytes = pdfOf([
      { dictionary: '<< /Type /Catalog /Pages 2 0 R >>' },
      { dictionary: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>' },
      pageObject('4 0 R', '/F1 5 0 R'),
      contentObject('BT /F1 24 Tf 72 720 Td <93fa967b8cea> Tj ET'),
      {
        dictionary:
          '<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>',
      },
      {
        dictionary:
          '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>',
      },
    ])
    expect(await pdf(bytes)).toEqual({ text: '日本語' })
  })

  it('reads glyphs that are drawings', async () => {
    const bytes = pdfOf([
      { dictionary: '<< /Type /Catalog /Pages 2 0 R >>' },
      { dictionary: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>' },
      pageObject('4 0 R', '/F1 5 0 R'),
      contentObject('BT /F1 24 Tf 72 720 Td (ab) Tj ET'),
      {
        dictionary:
          '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 8 8] /FontMatrix [0.1 0 0 0.1 0 0] /FirstChar 97 /LastChar 98 /Widths [8 8] ' +
          '/Encoding << /Differences [97 /a /b] >> /CharProcs << /a 6 0 R /b 6 0 R >> /Resources << >> >>',
      },
      contentObject(
        '8 0 0 0 8 8 d1 q 8 0 0 8 0 0 cm BI /W 8 /H 8 /IM true /BPC 1 ID \xaa\x55\xaa\x55\xaa\x55\xaa\x55 EI Q',
      ),
    ])
    expect(await pdf(bytes)).toEqual({ text: 'ab' })
  })

  it('leaves out a damaged page, and recovers from a wrong table of objects', async () => {
    const whole = Buffer.from(pdfOfPages([['first'], ['second'], ['third']])).toString('latin1')
    const spoilt = whole.replace('7 0 obj\n<<', '7 0 obj\n>>')
    expect(await pdf(latin1(spoilt))).toEqual({ text: 'first\n\nthird' })
    const lost = whole.replace(/startxref\n\d+/, 'startxref\n7')
    expect(await pdf(latin1(lost))).toEqual({ text: 'first\nsecond\nthird' })
  })

  it('refuses a file that needs a password', async () => {
    const key = '41'.repeat(32)
    const locked = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<41> <41>]`
    expect(await pdf(pdfOfPages([['secret']], locked))).toEqual({ refused: 'unreadable' })
  })

  it('returns null for pages that are pictures', async () => {
    expect(await pdf(pdfOfPages([[], []]))).toEqual({ text: null })
  })
})
