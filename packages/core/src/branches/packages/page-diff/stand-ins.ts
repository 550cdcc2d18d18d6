import type { FindFile } from '../../../delivery/sites/file-once.ts'

/** Short addresses in place of the pictures in pages: what compares pages bounds their length, and would read each picture as text. */
export interface StandIns {
  /** Finds what stands in for a file; alike files have one. */
  readonly of: (find: FindFile) => FindFile
  /** A text with the pictures themselves. */
  readonly restored: (text: string) => string
}

/** Characters of pictures in one document, where each stands three times. Those past it are left out. At twice as many a document is too much for some browsers. */
const mostRestored = 24 * 1024 ** 2

/** Stand-ins for the pages of one document. */
export function createStandIns(): StandIns {
  const numbers = new Map<string, number>()
  const addresses: string[] = []
  let left = mostRestored
  const standIn = (address: string) => {
    const number = numbers.get(address) ?? addresses.push(address) - 1
    numbers.set(address, number)
    return `data:image/png;quire=${number},`
  }
  const picture = (whole: string, number: string) => {
    const { length } = addresses[Number(number)] ?? ''
    if (length === 0 || length > left) return whole
    left -= length
    return addresses[Number(number)] ?? whole
  }
  return {
    of: (find) => async (item, rendition) => {
      const address = await find(item, rendition)
      return address === null ? null : standIn(address)
    },
    restored: (text) => text.replaceAll(/data:image\/png;quire=(\d+),/g, picture),
  }
}
