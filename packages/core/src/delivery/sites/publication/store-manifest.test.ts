import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collect } from '../../../engine/paging.ts'
import { once } from '../../../files/assets/stored-bytes.ts'
import { memoryBlobs } from '../../../memory/blobs.ts'
import { randomIds } from '../../../adapters/system.ts'
import { blobsOf, type Manifest, type PublishedFile } from './manifest.ts'
import { readManifest, writeManifest } from './store-manifest.ts'
import { parseManifest, manifestText } from './manifest-format.ts'

const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
const part = fc.stringMatching(/^[a-zé0-9-]{1,4}$/u)
const anAddress = fc.array(part, { maxLength: 3 }).map((parts) => parts.join('/'))
const anId = fc.stringMatching(/^(PAGE|CONT)_[A-C]{3}$/)

const someBlobs = fc.uniqueArray(fc.tuple(hash, fc.nat()), {
  minLength: 1,
  maxLength: 5,
  selector: ([a]) => a,
})

/** A file in one of several blobs. */
function aFile(blobs: readonly (readonly [string, number])[]): fc.Arbitrary<PublishedFile> {
  const page = fc.record(
    { id: anId, uses: fc.array(anId, { maxLength: 4 }), lastModified: fc.integer({ min: 1, max: 8.64e12 }) },
    { requiredKeys: ['id', 'uses'] },
  )
  return fc
    .tuple(fc.constantFrom(...blobs), fc.nat(), fc.nat(), hash, fc.constantFrom('text/html', 'image/png'))
    .chain(([[blob, blobSize], from, length, etag, mimeType]) => {
      const start = from % (blobSize + 1)
      const size = length % (blobSize - start + 1)
      const file = { blob, blobSize, start, size, etag, mimeType }
      return fc.option(page).map((page) => (page ? { ...file, page } : file))
    })
}

const aManifest: fc.Arbitrary<Manifest> = someBlobs
  .chain((blobs) =>
    fc.tuple(
      fc.dictionary(anAddress, aFile(blobs), { maxKeys: 20 }),
      fc.dictionary(anAddress, fc.nat(), { maxKeys: 5 }),
      fc.dictionary(anAddress, anId, { maxKeys: 5 }),
      fc.string(),
    ),
  )
  .map(([files, moved, left, since]) => {
    const addresses = Object.keys(files)
    const from =
      addresses.length === 0 ? [] : Object.entries(moved).filter(([address]) => !(address in files))
    const redirects = from.map(([address, at]) => [address, addresses[at % addresses.length] ?? ''] as const)
    return {
      form: 1,
      baseUrl: 'https://example.com',
      since,
      files: new Map(Object.entries(files)),
      redirects: new Map(redirects),
      away: new Map(Object.entries(left).filter(([address]) => !(address in files))),
    }
  })

/** A manifest whose pages use each id once, in order, like one that was read back. */
function tidy(manifest: Manifest): Manifest {
  const files = [...manifest.files].map(([address, file]): [string, PublishedFile] => {
    if (!file.page) return [address, file]
    return [address, { ...file, page: { ...file.page, uses: [...new Set(file.page.uses)].sort() } }]
  })
  return { ...manifest, files: new Map(files) }
}

function reversed(manifest: Manifest): Manifest {
  const files = [...manifest.files].map(([address, file]): [string, PublishedFile] => {
    if (!file.page) return [address, file]
    return [address, { ...file, page: { ...file.page, uses: file.page.uses.toReversed() } }]
  })
  return {
    ...manifest,
    files: new Map(files.reverse()),
    redirects: new Map([...manifest.redirects].reverse()),
    away: new Map([...manifest.away].reverse()),
  }
}

const small: Manifest = {
  form: 1,
  baseUrl: '',
  since: 'at 7',
  files: new Map<string, PublishedFile>([
    [
      '',
      {
        ...aPart('a', 0),
        mimeType: 'text/html',
        page: { id: 'PAGE_1', uses: ['CONT_1', 'tree'], lastModified: 7 },
      },
    ],
    ['news', { ...aPart('a', 5), mimeType: 'text/html', page: { id: 'PAGE_2', uses: [] } }],
    ['assets/a.png', { ...aPart('b', 0), mimeType: 'image/png' }],
  ]),
  redirects: new Map([['old', 'news']]),
  away: new Map([['left', 'PAGE_3']]),
}

/**
 * Like a real publication: each page uses its item, its template, the site, the tree and two of
 * many pictures.
 */
function largeManifest(pages: number): Manifest {
  let time = Date.UTC(2026, 0)
  const ids = randomIds({ now: () => time })
  const aDigest = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    )
  const pictures = Array.from({ length: pages / 5 }, () => ids.next('CONT'))
  const entry = (index: number): [string, PublishedFile] => {
    time += 60_000
    const pictureIds = [7, 11].map((step) => pictures[(index * step) % pictures.length] ?? '')
    const uses = [ids.next('CONT'), 'SITE_01JXSC6G0000000000000000', 'tree', ...pictureIds]
    const part = { blob: 'ab'.repeat(32), blobSize: pages * 30_000, start: index * 30_000, size: 29_123 }
    const all = [...uses, 'TYPE_01JXSC6G0000000000000000']
    const page = { id: ids.next('PAGE'), uses: all, lastModified: Math.floor(time / 1000) + index }
    const address = `section-${index % 97}/a-page-about-something-${index}`
    return [address, { ...part, etag: aDigest(), mimeType: 'text/html; charset=utf-8', page }]
  }
  const files = new Map(Array.from({ length: pages }, (_, index) => entry(index)))
  return { form: 1, baseUrl: 'https://example.com', since: '1', files, redirects: new Map(), away: new Map() }
}

function aPart(name: string, start: number) {
  return { blob: name.repeat(64), blobSize: 10, start, size: 5, etag: 'e'.repeat(64) }
}

describe('a manifest', () => {
  it('reads back as it was written', async () => {
    const blobs = memoryBlobs()
    await fc.assert(
      fc.asyncProperty(aManifest, async (manifest) => {
        const { hash } = await writeManifest(blobs, manifest)
        expect(await readManifest(blobs, hash)).toEqual(tidy(manifest))
      }),
    )
  })

  it('has the same text whatever the order of its contents', async () => {
    await fc.assert(
      fc.asyncProperty(aManifest, async (manifest) => {
        const text = await manifestText(manifest)
        expect(await manifestText(reversed(manifest))).toBe(text)
        expect(await manifestText(tidy(manifest))).toBe(text)
      }),
    )
  })

  it('lists the blobs that it uses, each once', () => {
    expect([...blobsOf(small)]).toEqual(['a'.repeat(64), 'b'.repeat(64)])
  })

  it('cannot have a redirect to an unknown file', async () => {
    const redirects = new Map([['old', 'gone']])
    await expect(manifestText({ ...small, redirects })).rejects.toThrow('"gone"')
  })

  it('reports a missing blob and one that is not a manifest', async () => {
    const blobs = memoryBlobs()
    const other = await blobs.put(once(new TextEncoder().encode('{"form":2}')))
    await expect(readManifest(blobs, other.hash)).rejects.toMatchObject({ code: 'internal' })
    await expect(readManifest(blobs, '0'.repeat(64))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('with changed characters is refused or is another manifest, and nothing else fails', async () => {
    const text = await manifestText(small)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.string({ minLength: 1, maxLength: 2 }),
        async (at, put) => {
          const manifest = await parseManifest(text.slice(0, at) + put + text.slice(at + 1))
          expect(manifest?.files.size ?? 3).toBe(3)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it.for([
    ['another form', { form: 2 }],
    ['an address above the site', { addresses: [0, '', 0, '../x', 0, 'y'] }],
    ['an address with a slash before it', { addresses: [0, '', 0, '/x', 0, 'y'] }],
    ['an address with a backslash', { addresses: [0, '', 0, 'a\\b', 0, 'y'] }],
    ['two files at one address', { addresses: [0, '', 0, 'x', 1, ''] }],
    ['fewer addresses than files', { addresses: [0, ''] }],
    ['a blob with another name', { blobs: [['../../etc', 10]] }],
    [
      'a file beyond its blob',
      {
        blobs: [
          ['a'.repeat(64), 9],
          ['b'.repeat(64), 10],
        ],
      },
    ],
    ['a file in no blob', { blobs: [['a'.repeat(64), 10]] }],
    ['a use of an unknown id', { ids: [0, 'CONT_1'] }],
    ['a redirect to an unknown file', { redirects: { from: [0, 'old'], to: [9] } }],
    ['a redirect from an address in use', { redirects: { from: [0, 'news'], to: [0] } }],
    ['an unknown page that is away', { away: { from: [0, 'left'], to: [9] } }],
    ['a page that is away from an address in use', { away: { from: [0, 'news'], to: [0] } }],
    ['dates of fewer files', { modified: { before: 6, after: [1] } }],
    ['a date beyond the last possible one', { modified: { before: 8.64e12, after: [1, 0, 0] } }],
    ['dates without a base', { modified: { after: [1, 0, 0] } }],
    ['files that are not a list', { files: {} }],
    ['no base address', { baseUrl: null }],
  ])('with %s is refused', async ([, member]) => {
    const stored: object = JSON.parse(await manifestText(small))
    expect(await parseManifest(JSON.stringify(stored))).not.toBeNull()
    expect(await parseManifest(JSON.stringify({ ...stored, ...Object(member) }))).toBeNull()
  })

  it('without dates and pages away is accepted', async () => {
    const stored: Record<string, unknown> = JSON.parse(await manifestText(small))
    for (const member of ['away', 'modified']) expect(Reflect.deleteProperty(stored, member)).toBe(true)
    const before = await parseManifest(JSON.stringify(stored))
    expect(before?.files.get('')?.page).toEqual({ id: 'PAGE_1', uses: ['CONT_1', 'tree'] })
    expect(before?.away).toEqual(new Map())
    expect(before?.redirects).toEqual(small.redirects)
  })

  it.for(['', 'null', '[]', '{', '7'])('is not the text %j', async (text) => {
    expect(await parseManifest(text)).toBeNull()
  })

  it('of 10 000 pages takes less than 2 MB', async () => {
    const blobs = memoryBlobs()
    const { hash, size } = await writeManifest(blobs, largeManifest(10_000))
    expect(size).toBeLessThan(2_000_000)
    expect((await readManifest(blobs, hash)).files.size).toBe(10_000)
    expect((await collect((await blobs.read(hash)) ?? once(new Uint8Array()))).length).toBe(size)
  })
})
