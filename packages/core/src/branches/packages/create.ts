import { endpoints, type Contract, type Package, type ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { findRepository } from '../../engine/scope.ts'
import { newPackage, serializePackage, storeNew } from './record.ts'

/** Creates an open package that holds nothing: it shows main. Errors: `not_found`, `forbidden`, `name_taken`, `invalid`. */
export async function createPackage(
  call: Call,
  { repo, name, description }: ParsedOf<Contract['packages']['create']>,
): Promise<Serialized<Package>> {
  requireFreeName(name)
  return call.write(async (call) => {
    const { id: repositoryId } = await findRepository(call, repo)
    requirePermission(call, 'packages.create', { repositoryId })
    return serializePackage(await storeNew(call, newPackage(call, { repositoryId, name, description })))
  })
}

const prefix = '/api/content/management/packages/{repo}/'

/** The words that stand where a package's name does: no package may have such a name, or one address would mean two things. */
const reservedNames: ReadonlySet<string> = new Set([
  ...endpoints
    .filter(({ endpoint }) => endpoint.path.startsWith(prefix))
    .map(({ endpoint }) => endpoint.path.slice(prefix.length).split('/')[0] ?? '')
    .filter((word) => !word.startsWith('{')),
  // Comes with the import of packages (DESIGN "Storage and scale").
  'import',
])

/** Errors: `invalid` for a reserved name. */
export function requireFreeName(name: string, path = 'name'): void {
  if (!reservedNames.has(name)) return
  throw invalid([{ path, message: `"${name}" stands in addresses of the API: choose another` }])
}
