import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAsync } from 'jszip'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beginUpload, uploadWhole } from './append.ts'
import { askJson } from './ask.ts'
import { Location, repository } from './location.ts'
import { hasUnzip, testArchive, unpack } from './unzip.ts'

// An upload can send any text in its headers.
const names = [
  '../../etc/passwd',
  '..\\..\\etc\\passwd',
  '/etc/passwd',
  'C:\\Windows\\system.ini',
  '\\\\server\\share\\file.txt',
  'a/../../b',
  '.',
  '..',
  '...',
  '~',
  '~root/.ssh/authorized_keys',
  '-rf',
  '-d',
  '@file',
  '$(touch x).txt',
  'line\r\nfeed\u0007\u001b[31m.txt',
  'c1\u0085control\u009f.txt',
  'Gr\u00fc\u00dfe \u{1f58b} \u{1f469}\u200d\u{1f3a8}.txt',
  'photo\u202egpj.exe',
  '\u2066isolated\u2069.txt',
  '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627.txt',
  `${'long '.repeat(90)}.txt`,
  `${'\u4e2d'.repeat(400)}.txt`,
  '\u{1f600}'.repeat(200),
  'same.txt',
  'same.txt',
  'same.txt',
  'Same.TXT',
  'same (2).txt',
  'caf\u00e9.txt',
  'cafe\u0301.txt',
  'CAF\u00c9.txt',
  '\u00df.txt',
  '\u1e9e.txt',
  '\u03bf\u03c2.txt',
  '\u03bf\u03c3.txt',
  'ss.txt',
  '\u0130.txt',
  'i\u0307.txt',
  'con',
  'CON.txt',
  'nul.tar.gz',
  'Com1',
  'lpt9.log',
  'com\u00b9.txt',
  'conin$',
  'aux .txt',
  'a:stream.txt',
  'what?*<>|".txt',
  'ends with a dot.',
  'ends with a space ',
  ' begins with a space',
  '%2e%2e%2fpasswd',
  '__proto__',
  'constructor',
  'META-INF/MANIFEST.MF',
]

let location: Location
let file: string
beforeAll(async () => {
  location = await new Location().open()
  const ids: string[] = []
  for (const [index, name] of names.entries())
    ids.push(await uploadWhole(location, Buffer.from(`${index}: ${name}`), name))
  const { status, body } = await askJson(location, `/api/assets/zip/${repository}`, ids)
  if (status !== 200) throw new Error(`the archive was answered with ${status}: ${body.toString()}`)
  file = join(location.folder, 'archive.zip')
  writeFileSync(file, body)
}, 60_000)
afterAll(() => location.close())

const contents = () => names.map((name, index) => `${index}: ${name}`).toSorted()

it('an archive with hostile file names unpacks into its folder, with every file complete', async ({
  skip,
}) => {
  if (!hasUnzip) skip('unzip is not installed')
  expect(testArchive(file)).toMatchObject({ code: 0 })
  const around = join(location.folder, 'around')
  const inside = join(around, 'one', 'two', 'three')
  const unpacked = unpack(file, inside)
  expect([...unpacked.values()].map(String).toSorted()).toEqual(contents())
  const others = readdirSync(around, { recursive: true }).map(String)
  const below = join('one', 'two', 'three')
  expect(others.filter((path) => path !== below && !path.startsWith(join(below, '/')))).toEqual([
    'one',
    'one/two',
  ])
  for (const path of unpacked.keys()) expect(path).not.toContain('/')
})

it('its names are unique on every file system, and none is a device or has invisible characters', async () => {
  const { files } = await loadAsync(readFileSync(file))
  const entries = Object.values(files)
  expect(entries).toHaveLength(names.length)
  const keys = entries.map(({ name }) => name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC'))
  expect(new Set(keys).size).toBe(names.length)
  for (const { name, unixPermissions } of entries) {
    expect(name).not.toMatch(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\\/:*?"<>|]|[. ]$|^\.{1,2}$/u)
    expect(name).not.toMatch(
      /^(con|prn|aux|nul|com[\d\u00b9\u00b2\u00b3]|lpt[\d\u00b9\u00b2\u00b3]|conin\$|conout\$) *(\.|$)/i,
    )
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
    // Not a symbolic link, whose file type is 0xa000.
    expect(((unixPermissions as number | null) ?? 0) & 0xf000).not.toBe(0xa000)
  }
})

it('no file in the data folder has a name from its sender', () => {
  const folders = readdirSync(join(location.data, 'blobs'), { recursive: true, withFileTypes: true })
  const others = folders.filter((entry) => entry.isFile() && !/^[0-9a-f]{64}$/.test(entry.name))
  expect(others.map(({ name }) => name).filter((name) => names.some((sent) => sent.includes(name)))).toEqual(
    [],
  )
  expect(readdirSync(location.data).toSorted()).toEqual(
    readdirSync(location.data)
      .filter((name) => !names.includes(name))
      .toSorted(),
  )
})

it.each(['null\0byte.txt', 'a\0/../b.txt', 'link\0-> /etc/passwd'])(
  '%j is rejected because it contains a NUL',
  async (name) => {
    await expect(beginUpload(location, 3, name)).rejects.toThrow('400')
  },
)
