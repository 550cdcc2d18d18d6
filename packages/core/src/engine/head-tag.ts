import { requireMatch, type Call } from './call.ts'
import type { StoredJson } from '../ports/index.ts'
import { checksum } from './digest.ts'

/** The strong entity tag of a head: its revision on its branch. */
export function headTag({ id, revision, packageId }: Pick<StoredJson, 'id' | 'revision' | 'packageId'>) {
  return packageId === null ? `${id}.${revision}` : `${id}.${revision}.${packageId}`
}

/** The tag of an answer that beside a head shows what others are called: it changes with those too. */
export function tagShowing(tag: string, names: string): string {
  return `${tag}~${checksum(names)}`
}

/**
 * Errors: `precondition_failed` when If-Match names another revision of the head. What others are called does not count: a write does not
 * depend on it.
 */
export function requireHeadMatch(call: Call, head: Parameters<typeof headTag>[0]): void {
  const ifMatch = call.ifMatch?.replaceAll(/~[^"]*/g, '')
  requireMatch({ ...call, ifMatch }, headTag(head))
}
