/** The parts of an export that a folder holds as files of their own. */
export const parts = ['content', 'types', 'blobs'] as const

/** The name of the file for an entity or a content type, whatever characters its id has. */
export function jsonName(id: string): string {
  return `${encodeURIComponent(id)}.json`
}
