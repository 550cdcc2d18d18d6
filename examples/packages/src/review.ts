import type { Api, MergeConflict, PackageDifference } from '@quire/contract'

/** Identifies a package in a call. */
export interface PackageRef {
  readonly repo: string
  readonly packageName: string
}

/**
 * The changes of a package: one line per change, followed by one line per changed member. Reads all
 * pages.
 */
export async function reviewLines(quire: Api, ref: PackageRef): Promise<string[]> {
  const lines: string[] = []
  let cursor: string | undefined
  do {
    const page = await quire.packages.diff({ ...ref, ...(cursor !== undefined && { cursor }) })
    lines.push(...page.items.flatMap(changeLines))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return lines
}

function changeLines({ kind, entity, mainMoved, changes }: PackageDifference): string[] {
  const head = `${kind} ${entity.type} "${entity.name}"${mainMoved ? ', main has moved' : ''}`
  // A created or deleted item is entirely new or gone, so its name is enough.
  if (kind !== 'update') return [head]
  return [head, ...changes.map(memberLine)]
}

function memberLine(change: PackageDifference['changes'][number]): string {
  const before = 'before' in change ? visible(change.before) : 'nothing'
  const after = 'after' in change ? visible(change.after) : 'nothing'
  return `  ${change.path}: ${before} → ${after}`
}

/** Describes a merge conflict in one line. */
export function conflictLine({ entity, path, kind, base, ours, theirs }: MergeConflict): string {
  const sides = `base ${visible(base)}, package ${visible(ours)}, main ${visible(theirs)}`
  return `"${entity.name}" ${path || 'as a whole'} (${kind}): ${sides}`
}

function visible(value: unknown): string {
  return JSON.stringify(value ?? null)
}
