import { QuireError } from '@quire/contract'
import type { EntityReader, Branch } from '../../ports/index.ts'
import { memberOf, siblingKey, type StructureContent } from './content.ts'
import type { StructureKind } from './kind.ts'

/** Where `siblingKey` is kept among the values of a head. */
export const siblingPath = 'sibling'

/** Something that stands somewhere, or is to. */
export interface Standing {
  readonly rules: StructureKind
  /** Null for what does not exist yet. */
  readonly id: string | null
  readonly content: StructureContent
}

/** The other of its kind that has its name where it stands, by id; null when there is none. */
export async function namesakeOf(
  entities: EntityReader,
  branch: Branch,
  { rules, id, content }: Standing,
): Promise<string | null> {
  const { entities: found } = await entities.list(branch, {
    kind: rules.kind,
    reader: { types: 'all', roles: 'all' },
    filter: { field: { path: siblingPath, list: false }, op: 'eq', value: siblingKey(rules, content) },
    archived: true,
    sort: [],
    limit: 2,
    count: false,
  })
  return found.find((other) => other.id !== id)?.id ?? null
}

/** Errors: `name_taken`, or `slug_taken` of what is called by its slug. */
export async function requireFreeName(entities: EntityReader, branch: Branch, at: Standing): Promise<void> {
  if ((await namesakeOf(entities, branch, at)) === null) return
  const { kind, calledBy } = at.rules
  const called = memberOf(at.content, calledBy)
  throw new QuireError(`${calledBy}_taken`, `There is a ${kind} "${called}" here already.`, {
    details: { [calledBy]: called },
  })
}
