import type { ResourceRef } from './tool.ts'

/** How addresses of items are built: on main, and in a package. */
export const itemTemplates = {
  main: 'quire://{repository}/items/{id}',
  inPackage: 'quire://{repository}/packages/{packageName}/items/{id}',
} as const

/** An item as a resource, on main or in a package. Its own name is content, and so not the name of it. */
export function itemLink(
  repository: string,
  { id, packageName }: { id: string; packageName?: string | null | undefined },
): ResourceRef {
  const branch = packageName ? `/packages/${encodeURIComponent(packageName)}` : ''
  const uri = `quire://${encodeURIComponent(repository)}${branch}/items/${encodeURIComponent(id)}`
  return { uri, name: id }
}

/** The address of the content types of a repository as a resource. */
export function schemaUri(repository: string): string {
  return `quire://${encodeURIComponent(repository)}/schema`
}

/** The address of the style guide of a repository as a resource. */
export function styleGuideUri(repository: string): string {
  return `quire://${encodeURIComponent(repository)}/style-guide`
}
