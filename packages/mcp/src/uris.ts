/** How addresses of items are built: on main, and in a package. */
export const itemTemplates = {
  main: 'quire://{repository}/items/{id}',
  inPackage: 'quire://{repository}/packages/{packageName}/items/{id}',
} as const

/** The address of an item as a resource. */
export function itemUri(
  repository: string,
  { id, packageName }: { id: string; packageName?: string | null | undefined },
): string {
  const branch = packageName ? `/packages/${encodeURIComponent(packageName)}` : ''
  return `quire://${encodeURIComponent(repository)}${branch}/items/${encodeURIComponent(id)}`
}

/** The address of the content types of a repository as a resource. */
export function schemaUri(repository: string): string {
  return `quire://${encodeURIComponent(repository)}/schema`
}

/** The address of the style guide of a repository as a resource. */
export function styleGuideUri(repository: string): string {
  return `quire://${encodeURIComponent(repository)}/style-guide`
}
