/** A path on the branch of a package: `/_package/{packageName}` comes after the repository. */
export function onPackage(path: string): string {
  return path.replace('{configId}', '{configId}/_package/{packageName}')
}
