import { endpoints } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'

/** Every path of the API, as its segments. */
const paths: readonly (readonly string[])[] = endpoints.flatMap(
  ({ endpoint: { path, packagePath = path } }) =>
    [...new Set([path, packagePath])].map((template) => template.split('/')),
)

/** The paths with the name of a package, in two parts: what comes before it, and what comes after it. */
const named = paths.flatMap((path) => {
  const at = path.indexOf('{packageName}')
  return at < 0 ? [] : [{ before: path.slice(0, at), after: path.slice(at + 1) }]
})

/** Words that the API uses where the name of a package can be: as names they would make paths ambiguous. */
const wordsBeside: ReadonlySet<string> = new Set([
  ...named.flatMap(({ before }) => fixed(paths.filter(isBelow(before)).map((path) => path[before.length]))),
  // Reserved for the import of packages (DESIGN "Storage and scale").
  'import',
])

/** Words that the API uses after the name of a package. */
const wordsBelow: ReadonlySet<string> = new Set(named.flatMap(({ after }) => fixed(after)))

function isBelow(before: readonly string[]): (path: readonly string[]) => boolean {
  return (path) => before.every((segment, at) => path[at] === segment)
}

function fixed(segments: readonly (string | undefined)[]): readonly string[] {
  return segments.flatMap((segment) => (segment === undefined || segment.startsWith('{') ? [] : [segment]))
}

/** An id, which can also come after the name of a package. */
const idForm = /^[A-Z]{4}_[0-9A-Z]{26}$/

/**
 * Checks that requests with the name of a new package lead to no other operation, even if a proxy
 * decodes the `%2F` in their paths. Errors: `invalid` for a name with a segment that could.
 */
export function requireUnreservedName(name: string, path = 'name'): void {
  const segments = name.split('/')
  const isReserved = (segment: string) =>
    wordsBeside.has(segment) || (segments.length > 1 && (wordsBelow.has(segment) || idForm.test(segment)))
  const segment = segments.find(isReserved)
  if (segment === undefined) return
  const why = idForm.test(segment) ? 'has the form of an id' : 'is part of a path of the API'
  throw invalid([{ path, message: `"${segment}" ${why}: choose another name` }])
}
