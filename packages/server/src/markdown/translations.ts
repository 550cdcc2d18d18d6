import type { ContentType } from '@quire/contract'
import type { Draft } from './draft.ts'
import { FileProblem } from './file-problem.ts'
import { inFile } from './in-file.ts'

/** The keys of front matter that set a member which all locales share. */
const keysOfShared = { name: ['title'], slug: ['slug'], description: ['summary', 'description'] } as const

const sharedMembers = ['name', 'slug', 'description'] as const

/**
 * The drafts of one document, all with the name, slug and description of the first. Errors:
 * FileProblem if a file gives another one that would be lost, or is in the locale of an earlier file.
 */
export async function translationsOf(drafts: readonly Draft[], type: ContentType): Promise<Draft[]> {
  const [first, ...others] = drafts
  if (!first) return []
  const { name, slug, description } = first
  for (const draft of others)
    await inFile(draft, () => {
      requireOnly(draft, drafts)
      requireShared(draft, first, type)
    })
  return drafts.map((draft) => ({ ...draft, name, slug, description }))
}

function requireOnly({ path, locale }: Draft, drafts: readonly Draft[]): void {
  const first = drafts.find((draft) => draft.locale === locale)
  if (first && first.path !== path)
    throw new FileProblem(1, `${first.path} is the same document in the locale "${locale}", too`)
}

function requireShared(draft: Draft, first: Draft, { fields }: ContentType): void {
  for (const member of sharedMembers) {
    const line = draft.lines.get(member)
    const isLocalized = fields.some(
      (field) =>
        field.localized === true &&
        keysOfShared[member].some((key) => key === field.name) &&
        draft.fields[field.name] !== undefined,
    )
    if (line === undefined || isLocalized || draft[member] === first[member]) continue
    throw new FileProblem(line, `the ${member} differs from ${first.path}, and all locales have the same one`)
  }
}
