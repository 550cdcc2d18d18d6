/**
 * Whether a path fits a glob: `*` stands for anything within a part, `**` for any parts, also none. Both begin with a slash.
 * Cost: the product of both lengths, whatever the glob says.
 */
export function fitsGlob(path: string, glob: string): boolean {
  return fits(path.split('/'), glob.split('/'), {
    isStar: (part) => part === '**',
    isSame: (part, wanted) =>
      fits(part.split(''), wanted.split(''), { isStar: (one) => one === '*', isSame: (a, b) => a === b }),
  })
}

interface Comparing {
  readonly isStar: (wanted: string) => boolean
  readonly isSame: (given: string, wanted: string) => boolean
}

/** Goes back to the last star alone: what an earlier one could take as well, the last one can. */
function fits(given: readonly string[], wanted: readonly string[], { isStar, isSame }: Comparing): boolean {
  let at = 0
  let next = 0
  let star = -1
  let taken = 0
  while (at < given.length) {
    const want = wanted[next]
    if (want !== undefined && isStar(want)) {
      star = next
      taken = at
      next += 1
    } else if (want !== undefined && isSame(given[at] ?? '', want)) {
      at += 1
      next += 1
    } else if (star >= 0) {
      taken += 1
      at = taken
      next = star + 1
    } else return false
  }
  return wanted.slice(next).every(isStar)
}
