import { QuireError } from '@quire/contract'
import { type Call } from './call.ts'
import type { StoredJson } from '../ports/index.ts'
import { checksum } from './digest.ts'

/** The strong entity tag of a head: its revision on its branch. */
export function headTag({ id, revision, packageId }: Pick<StoredJson, 'id' | 'revision' | 'packageId'>) {
  return packageId === null ? `${id}.${revision}` : `${id}.${revision}.${packageId}`
}

/**
 * The entity tag of an answer that contains names of other things besides a head: it changes with
 * those names too.
 */
export function tagShowing(tag: string, names: string): string {
  return `${tag}~${checksum(names)}`
}

/**
 * Errors: `precondition_failed` when If-Match names another revision of the head. The names of
 * other things are ignored, because a write does not depend on them.
 */
export function requireHeadMatch(call: Call, head: Parameters<typeof headTag>[0]): void {
  const ifMatch = call.ifMatch?.replaceAll(/~[^"]*/g, '')
  requireMatch({ ...call, ifMatch }, headTag(head))
}

/** Errors: `precondition_failed` when If-Match names another revision. */
export function requireMatch(call: Call, etag: string): void {
  if (call.ifMatch === undefined || call.ifMatch === '*' || namedTags(call.ifMatch).includes(etag)) return
  throw new QuireError('precondition_failed')
}

/**
 * The strong tags in If-Match: a single one without quotes, or a list of quoted tags. Weak tags
 * never match (RFC 9110 §13.1.1).
 */
export function namedTags(ifMatch: string): readonly string[] {
  if (!ifMatch.includes('"')) return [ifMatch]
  return [...ifMatch.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, tag = '']) => (weak ? [] : [tag]))
}
