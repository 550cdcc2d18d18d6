import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { archiveName, extensionOf, plainFileName, uniquePaths } from './file-name.ts'

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      ':',
      '\0',
      '\n',
      '\u202e',
      '"',
      ' ',
      'con',
      'é',
      '中',
      '\u{1f600}',
      '\ud800',
    ),
    fc.string({ minLength: 1, maxLength: 3 }),
  ),
  maxLength: 30,
})

describe('the stored name of a file', () => {
  it.each([
    ['../../x', 'x'],
    [String.raw`..\..\x`, 'x'],
    ['/etc/passwd', 'passwd'],
    [String.raw`C:\Users\a.txt`, 'a.txt'],
    ['a/../../x', 'x'],
    ['..', 'file'],
    ['', 'file'],
    [undefined, 'file'],
    ['a\0b\r\nc.txt', 'abc.txt'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['  Oak galls.jpg ', 'Oak galls.jpg'],
    ['e\u0301.txt', 'é.txt'],
    ['Straße 中文 עברית.png', 'Straße 中文 עברית.png'],
  ])('of %j is %j', (sent, stored) => {
    expect(plainFileName(sent)).toBe(stored)
  })

  it('is never a path, contains no invisible characters, and is stable', () => {
    fc.assert(
      fc.property(hostile, (sent) => {
        const name = plainFileName(sent)
        expect(name).not.toMatch(/[/\\\p{Cc}\u202a-\u202e]/u)
        expect(['', '.', '..']).not.toContain(name)
        expect(name.isWellFormed() && name.length <= 500).toBe(true)
        expect(plainFileName(name)).toBe(name)
      }),
    )
  })

  it.each([
    ['a.JPG', 'jpg'],
    ['a.tar.gz', 'gz'],
    ['a', null],
    ['.hidden', 'hidden'],
    ['a.not-plain', null],
    ['a.', null],
  ])('%j has the extension %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension)
  })
})

describe('names in an archive', () => {
  it.each([
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['com¹.txt', '_com¹.txt'],
    ['aux .txt', '_aux .txt'],
    ['a:b?.txt', 'a_b_.txt'],
    ['ends. . ', 'ends'],
    [`${'ä'.repeat(500)}.txt`, `${'ä'.repeat(118)}.txt`],
  ])('%j becomes %j', (name, safe) => {
    expect(archiveName(name)).toBe(safe)
  })

  it('are different, even where case is ignored', () => {
    const path = uniquePaths()
    const names = ['a.txt', 'A.txt', 'a (2).txt', 'a.txt', 'b']
    expect([...names.map((name) => path([], name)), path(['x'], 'a.txt'), path([], 'b')]).toEqual([
      'a.txt',
      'A (2).txt',
      'a (2) (2).txt',
      'a (3).txt',
      'b',
      'x/a.txt',
      'b (2)',
    ])
  })

  it.each([
    ['ß.txt', 'ss.txt'],
    ['ẞ.txt', 'ß.txt'],
    ['οσ.txt', 'ος.txt'],
  ])('%s and %s are the same to some file systems', (one, other) => {
    const path = uniquePaths()
    expect([path([], one), path([], other)]).toEqual([one, other.replace('.', ' (2).')])
  })

  it('of files are never names of folders, whichever comes first', () => {
    const path = uniquePaths()
    expect([
      path(['photos'], 'a.jpg'),
      path([], 'Photos'),
      path([], 'notes'),
      path(['notes'], 'a.txt'),
      path(['notes', 'deep'], 'b.txt'),
      path(['notes'], 'deep'),
      path(['photos'], 'b.jpg'),
    ]).toEqual([
      'photos/a.jpg',
      'Photos (2)',
      'notes',
      'notes (2)/a.txt',
      'notes (2)/deep/b.txt',
      'notes (2)/deep (2)',
      'photos/b.jpg',
    ])
  })

  it.each([
    ['emoji', '\u{1f600}'.repeat(200), '\u{1f600}'.repeat(60)],
    ['a dot where it is cut', `${'a'.repeat(239)}.${'b '.repeat(20)}`, 'a'.repeat(239)],
  ])('are cut between characters: %s', (_, name, short) => {
    expect(archiveName(name)).toBe(short)
  })

  it('cost as much for 5 000 equal names as for others', () => {
    for (const nameOf of [() => '\u4e2d'.repeat(490), (index: number) => `${'\u4e2d'.repeat(490)}${index}`]) {
      const start = process.cpuUsage()
      const path = uniquePaths()
      const paths = Array.from({ length: 5000 }, (_, index) => path(['photos'], nameOf(index)))
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(300)
      expect(new Set(paths).size).toBe(5000)
    }
  })

  it('stay below the folder and are unpacked by every system', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(hostile, { maxLength: 2 }), hostile), { maxLength: 8 }),
        (files) => {
          const pathOf = uniquePaths()
          const paths = files.map(([folders, name]) => pathOf(folders, name))
          const keys = new Set(paths.map((path) => path.toLowerCase()))
          expect(keys.size).toBe(files.length)
          for (const key of keys) for (const other of keys) expect(other.startsWith(`${key}/`)).toBe(false)
          for (const segment of paths.flatMap((path) => path.split('/'))) {
            expect(segment).not.toMatch(
              /^\.{0,2}$|[\\:*?"<>|\p{Cc}]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/iu,
            )
            expect(new TextEncoder().encode(segment).length).toBeLessThanOrEqual(255)
          }
        },
      ),
    )
  })
})
