/** The parts of an export that a folder holds as files of their own. */
export const parts = ['content', 'types', 'blobs'] as const

/** Lines of a member of an export. */
export const linesOfShard = 10_000

/** The name of the file for an entity or a content type, whatever characters its id has. */
export function jsonName(id: string): string {
  return `${encodeURIComponent(id)}.json`
}

/** The member of an export with a shard of lines, by number from 1. */
export function shardName(part: string, number: number): string {
  return `${part}-${String(number).padStart(4, '0')}.ndjson`
}
