/**
 * The link from one page to another, both by their addresses within the site (`a/b`; empty: the home page): relative, so that the same
 * files work at any depth of any host. Pages are served at their address and a slash: from `a/b` to `c` it is `../../c/`, to itself `./`.
 */
export function relativeLink(fromPath: string, toPath: string): string {
  const from = segmentsOf(fromPath)
  const to = segmentsOf(toPath)
  const shared = sharedCount(from, to)
  const link =
    up(from.length - shared) +
    to
      .slice(shared)
      .map((name) => `${encodeURIComponent(name)}/`)
      .join('')
  return link === '' ? './' : link
}

/** The link from a page to a file of the site: from `a/b` to `assets/x.webp` it is `../../assets/x.webp`. */
export function relativeFileLink(fromPath: string, filePath: string): string {
  return up(segmentsOf(fromPath).length) + segmentsOf(filePath).map(encodeURIComponent).join('/')
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function sharedCount(from: readonly string[], to: readonly string[]): number {
  const differs = from.findIndex((segment, index) => segment !== to[index])
  return differs === -1 ? from.length : differs
}

function up(levels: number): string {
  return '../'.repeat(levels)
}
