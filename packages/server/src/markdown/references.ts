import { QuireError, type Api, type ContentType, type Locales } from '@quire/contract'
import type { Draft } from './draft.ts'
import { FileProblem } from './file-problem.ts'
import type { DryRun } from './dry-run.ts'

/** The target of an import. */
export interface ImportTarget {
  readonly api: Api
  /** The repository's id or name. */
  readonly repository: string
  readonly type: ContentType
  /** Of the repository. Absent: it has none. */
  readonly locales?: Locales | undefined
  readonly conversion: DryRun
}

/**
 * Replaces the slugs in reference fields of a draft by the ids of those items. Errors: FileProblem
 * `unresolved`.
 */
export async function withReferences(target: ImportTarget, draft: Draft): Promise<Draft> {
  const fields: Record<string, unknown> = { ...draft.fields }
  for (const { name, kind } of target.type.fields) {
    if (kind !== 'reference' || fields[name] === undefined) continue
    fields[name] = await resolved(fields[name], (slug) =>
      idOf(target, slug, draft.lines.get(`fields.${name}`) ?? 1),
    )
  }
  return { ...draft, fields }
}

async function resolved(value: unknown, find: (slug: string) => Promise<string>): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((member) => resolved(member, find)))
  return typeof value === 'string' && !value.startsWith('CONT_') ? find(value) : value
}

async function idOf({ api, repository }: ImportTarget, slug: string, line: number): Promise<string> {
  try {
    const { id } = await api.items.getBySlug({ configId: repository, slug, select: ['id'] })
    return id
  } catch (error) {
    if (!(error instanceof QuireError) || error.code !== 'not_found') throw error
    throw new FileProblem(line, `there is no item with the slug "${slug}" to refer to`, {
      kind: 'unresolved',
      cause: error,
    })
  }
}
