import { limits } from '@quire/contract'

// Control characters, and those that change the direction of text, which make `gpj.exe` look like
// `exe.jpg`.
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

/**
 * A file name as stored: it is only data and never used as a path. Folders and unsafe characters
 * are removed; `file` when nothing remains.
 */
export function plainFileName(sent: string | undefined): string {
  const base = (sent ?? '').toWellFormed().normalize('NFC').replaceAll('\\', '/').split('/').at(-1) ?? ''
  const plain = cut(base.replaceAll(unsafe, '').trim())
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain
}

/** A name cut to the maximum length, with its extension. */
function cut(name: string): string {
  if (name.length <= limits.fileName) return name
  const extension = extensionOf(name)
  const tail = extension === null ? '' : `.${extension}`
  return (
    name
      .slice(0, limits.fileName - tail.length)
      .replace(/[\ud800-\udbff]$/, '')
      .trim() + tail
  )
}

/** The extension of a file name in lower case, without the dot; null when there is no plain one. */
export function extensionOf(fileName: string): string | null {
  return /\.([A-Za-z0-9]{1,10})$/.exec(fileName)?.[1]?.toLowerCase() ?? null
}

// Names that Windows treats as devices, whatever their extension; it reads superscript digits as
// digits.
const devices = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]|conin\$|conout\$) *(\.|$)/i

// Bytes of a name that every file system accepts, with room for a number.
const longestName = 240

/** One segment of a path in an archive that any system can unpack (TRUST S11). */
export function archiveName(name: string): string {
  const plain = withoutEnd(plainFileName(name).replaceAll(/[<>:"|?*]/g, '_'))
  const short = shortened(plain)
  if (short === '') return 'file'
  return devices.test(short) ? `_${short}` : short
}

/** A name without trailing dots and spaces, which Windows drops. */
function withoutEnd(name: string): string {
  return name.replace(/[. ]+$/, '')
}

/** A name cut to `longestName` bytes, with its extension. */
function shortened(name: string): string {
  const room = new Uint8Array(longestName)
  if (charactersIn(room, name) === name.length) return name
  const extension = extensionOf(name)
  const tail = extension === null ? '' : name.slice(-extension.length - 1)
  const base = name.slice(0, name.length - tail.length)
  const end = charactersIn(room.subarray(tail.length), base)
  return withoutEnd(base.slice(0, end)) + tail
}

/** How many UTF-16 code units of a text fit into the buffer, without splitting a character. */
function charactersIn(room: Uint8Array<ArrayBuffer>, text: string): number {
  return new TextEncoder().encodeInto(text, room).read
}

/**
 * The key by which file systems compare paths that ignore case and normalization; some of them
 * treat `ß` as `ss`.
 */
function comparedPath(path: string): string {
  return path.toLowerCase().toUpperCase().normalize('NFC')
}

/** A path with a number before its extension; the first one has none. */
function numbered(path: string, count: number): string {
  if (count === 1) return path
  const extension = extensionOf(path)
  const dot = extension === null ? path.length : path.length - extension.length - 1
  return `${path.slice(0, dot)} (${count})${path.slice(dot)}`
}

/**
 * Returns a function that makes paths unique, even where case is ignored, and never makes one path
 * a folder of another: `a.txt`, `a (2).txt`. Cost: that of one path, however many had the same name
 * before.
 */
export function uniquePaths(): (folders: readonly string[], name: string) => string {
  const [files, folders] = [new Set<string>(), new Set<string>()]
  const fileNumbers = freeNumbers((key) => !files.has(key) && !folders.has(key))
  const folderNumbers = freeNumbers((key) => !files.has(key))
  const safe = memoized(archiveName)
  const folderAt = memoized((path) => {
    const free = folderNumbers(path)
    folders.add(comparedPath(free))
    return `${free}/`
  })
  return (names, name) => {
    const folder = names.reduce((path, each) => folderAt(path + safe(each)), '')
    const path = fileNumbers(folder + safe(name))
    files.add(comparedPath(path))
    return path
  }
}

/**
 * Numbers paths so that they are unused. Each search starts at the last number found for the path,
 * because used paths stay used.
 */
function freeNumbers(isFree: (key: string) => boolean): (path: string) => string {
  const counts = new Map<string, number>()
  return (path) => {
    const key = comparedPath(path)
    let count = counts.get(key) ?? 1
    while (!isFree(comparedPath(numbered(path, count)))) count++
    counts.set(key, count)
    return numbered(path, count)
  }
}

/** Caches the results of a function. */
function memoized(answer: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const existing = known.get(text)
    if (existing !== undefined) return existing
    const found = answer(text)
    known.set(text, found)
    return found
  }
}
