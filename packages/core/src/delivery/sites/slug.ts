import { parseAs, PathPart } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { slugify } from '../../content/items/slug.ts'

/** What stands for something in addresses: what was sent, or what its name gives. Errors: `invalid` for a name that gives nothing, or none that can stand there. */
export async function pathPartOf(slug: string | undefined, name: string): Promise<string> {
  if (slug !== undefined) return slug
  const made = await slugify(name)
  if (made === '') throw invalid([{ path: 'slug', message: 'is required: the name gives none' }])
  const parsed = parseAs(PathPart, made)
  if (!('issues' in parsed)) return made
  throw invalid(
    parsed.issues.map(({ message }) => ({ path: 'slug', message: `is made of the name: ${message}` })),
  )
}
