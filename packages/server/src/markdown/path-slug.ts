/** The slug of a file that gives none: its path in lower case without extension, a dash for everything but letters and digits. */
export function slugOfPath(path: string): string {
  return path
    .replace(/\.[^./]+$/, '')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
