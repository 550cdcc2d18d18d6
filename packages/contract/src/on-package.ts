/** A path on the line of a package: `/_package/{packageName}` stands after the repository. */
export function onPackage(path: string): string {
  return path.replace('{configId}', '{configId}/_package/{packageName}')
}
