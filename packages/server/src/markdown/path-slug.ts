/**
 * The slug of a file that sets none: its path without extension, in lower case, with a dash for
 * every run of characters other than letters and digits.
 */
export function slugOfPath(path: string): string {
  return path
    .replace(/\.[^./]+$/, '')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
