import { limits } from '@quire/contract'

// Control characters, and those that turn the direction of text, so that `gpj.exe` reads `exe.jpg`.
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

/** The name of a file as it is kept: data only, never a path of ours. Without folders and what no name should hold; `file` when nothing is left. */
export function plainFileName(sent: string | undefined): string {
  const base = (sent ?? '').toWellFormed().normalize('NFC').replaceAll('\\', '/').split('/').at(-1) ?? ''
  const plain = cut(base.replaceAll(unsafe, '').trim())
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain
}

/** A name of as many characters as are kept, with its extension. */
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

/** The extension of a file name in lower case, without the dot; null when it has none that is plain. */
export function extensionOf(fileName: string): string | null {
  return /\.([A-Za-z0-9]{1,10})$/.exec(fileName)?.[1]?.toLowerCase() ?? null
}

// What Windows takes for a device, whatever its extension; it reads superscript digits as digits.
const devices = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]|conin\$|conout\$) *(\.|$)/i

// Bytes of a name that every file system takes, with room for a number.
const longestName = 240

/** One name of a path in an archive that any system can unpack (TRUST S11). */
export function archiveName(name: string): string {
  const plain = plainFileName(name)
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/[. ]+$/, '')
  const safe = devices.test(plain) ? `_${plain}` : plain
  return shortened(safe === '' ? 'file' : safe)
}

/** A name within the bytes of `longestName`, with its extension. */
function shortened(name: string): string {
  if (bytesOf(name) <= longestName) return name
  const extension = extensionOf(name)
  const tail = extension === null ? '' : `.${extension}`
  let base = name.slice(0, name.length - tail.length)
  while (bytesOf(base) + tail.length > longestName) base = base.slice(0, -1).replace(/[\ud800-\udbff]$/, '')
  return base + tail
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

/** A path as file systems compare it that count neither case nor normal form, of which some take `ß` for `ss`. */
function comparedPath(path: string): string {
  return path.toLowerCase().toUpperCase().normalize('NFC')
}

/** Names paths so that no two are the same, not even where case does not count: `a.txt`, `a (2).txt`. */
export function uniquePaths(): (folders: readonly string[], name: string) => string {
  const used = new Set<string>()
  return (folders, name) => {
    const parts = folders.map(archiveName)
    const file = archiveName(name)
    const dot = extensionOf(file) === null ? file.length : file.lastIndexOf('.')
    for (let count = 1; ; count++) {
      const numbered = count === 1 ? file : `${file.slice(0, dot)} (${count})${file.slice(dot)}`
      const path = [...parts, numbered].join('/')
      const key = comparedPath(path)
      if (used.has(key)) continue
      used.add(key)
      return path
    }
  }
}
