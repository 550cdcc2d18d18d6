import type { Item } from '@quire/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveAssets, type AssetServing } from '../../test/asset-serving.ts'

let server: AssetServing
beforeAll(async () => {
  server = await serveAssets()
})
afterAll(() => server.close())

/**
 * An asset with this file name, sent in headers as an upload does: any text can arrive that way.
 */
async function named(fileName: string): Promise<Pick<Item, 'id' | 'originalFileName'>> {
  const sent = { repositoryId: 'magazine', filename: fileName, name: 'Named' }
  const metadata = Object.entries(sent).map(([key, text]) => `${key} ${Buffer.from(text).toString('base64')}`)
  const response = await server.fetch('/api/items/upload', {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '3',
      'upload-metadata': metadata.join(','),
      'content-type': 'application/offset+octet-stream',
    },
    body: 'ink',
  })
  const id = response.headers.get('quire-item-id')
  if (id === null) throw new Error(`${response.status}: ${await response.text()}`)
  const { originalFileName } = await server.api.items.get({ configId: 'magazine', id })
  return { id, originalFileName: originalFileName ?? null }
}

async function dispositionOf(fileName: string): Promise<Disposition> {
  const response = await server.get(await named(fileName))
  expect(response.status).toBe(200)
  return parsed(response.headers.get('content-disposition') ?? '')
}

describe('Content-Disposition', () => {
  it.each([
    'plain.txt',
    'with spaces and  more.txt',
    'quotes " and \' and `.txt',
    'semi;colon, comma=and %41 percent.txt',
    'Grüße aus Köln.txt',
    'Ελληνικά.txt',
    'Привет мир.txt',
    'مرحبا.txt',
    'שלום.txt',
    '日本語のファイル名.txt',
    '한국어 파일.txt',
    'नमस्ते दुनिया.txt',
    'ไทย.txt',
    '€ rates.txt',
    '🖋 ink 👩‍🎨.txt',
    'back\u00a0space.txt',
    '~tilde^caret|pipe.txt',
    'no extension',
    '.hidden',
    "UTF-8''evil.html",
    `${'long '.repeat(40)}end.txt`,
  ])('contains %j unchanged', async (fileName) => {
    const { type, name } = await dispositionOf(fileName)
    expect({ type, name }).toEqual({ type: 'attachment', name: fileName.normalize('NFC') })
  })

  it('also has an ASCII name for old clients', async () => {
    const { plain } = await dispositionOf('Grüße.txt')
    expect(plain).toMatch(/^[ -~]+\.txt$/)
  })

  it('never lets a name inject a header', async () => {
    const attack = 'a"; filename=evil.html\r\nSet-Cookie: x=1'
    const item = await named(attack)
    const response = await server.get(item)
    expect(response.headers.get('set-cookie')).toBeNull()
    const stored = attack.replaceAll(/[\r\n]/g, '')
    expect(item.originalFileName).toBe(stored)
    expect(parsed(response.headers.get('content-disposition') ?? '')).toMatchObject({
      type: 'attachment',
      name: stored,
      count: 1,
    })
  })

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['/etc/x', 'x'],
    ['C:\\x\\y.txt', 'y.txt'],
    ['a\u0001b\u007f.txt', 'ab.txt'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['..', 'file'],
    ['\u0001', 'file'],
  ])('of %j contains %j', async (sent, name) => {
    expect((await dispositionOf(sent)).name).toBe(name)
  })

  it('is inline for pictures, and attachment with `download`', async () => {
    const png = await server.upload(pixel, { name: 'pixel.png' })
    const typeOf = async (path: string) =>
      parsed((await server.get(png, path)).headers.get('content-disposition') ?? '').type
    expect(await typeOf('original')).toBe('inline')
    expect(await typeOf('thumbnail')).toBe('inline')
    for (const query of [
      'download',
      'download=1',
      'download=true',
      'download=yes',
      'download=',
      'download=false',
      'download=0',
    ]) {
      expect(await typeOf(`original?${query}`)).toBe('attachment')
      expect(await typeOf(`thumbnail?${query}`)).toBe('attachment')
    }
  })

  it('names a rendition after its format', async () => {
    const png = await server.upload(pixel, { name: 'pixel.png' })
    const response = await server.get(png, 'thumbnail?format=webp')
    expect(parsed(response.headers.get('content-disposition') ?? '').name).toBe('pixel.webp')
  })
})

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

interface Disposition {
  readonly type: string
  /** The name that a browser saves: that of `filename*`, otherwise of `filename`. */
  readonly name: string | undefined
  readonly plain: string | undefined
  /** How often each parameter may occur. */
  readonly count: number
}

/**
 * Parses a header by RFC 6266 and RFC 8187, independently of the code that writes it. Errors: for a
 * malformed header.
 */
function parsed(header: string): Disposition {
  const [type = '', rest = ''] = header.split(/;(.*)/s)
  const parameters = [...rest.matchAll(/\s*([\w*-]+)=("(?:[^"\\]|\\.)*"|[^\s;"]+)(?:;|$)/gy)]
  if (parameters.map(([text]) => text).join('') !== rest) throw new Error(`${header} is not well-formed`)
  const values = (wanted: string) =>
    parameters.filter(([, name]) => name === wanted).map(([, , value]) => value)
  const [plain] = values('filename').map((value = '') => unquoted(value))
  const [extended] = values('filename*').map((value = '') => decoded(value))
  const count = Math.max(values('filename').length, values('filename*').length)
  return { type, plain, name: extended ?? plain, count }
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value
}

function decoded(value: string): string {
  const text = /^UTF-8''((?:[\w!#$&+.^`|~-]|%[\dA-Fa-f]{2})*)$/.exec(value)?.[1]
  if (text === undefined) throw new Error(`${value} is not an ext-value of RFC 8187`)
  return decodeURIComponent(text)
}
