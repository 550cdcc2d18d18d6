import { readFileSync } from 'node:fs'
import { packageFolder } from './package-folder.ts'

/** The version of this package, from its manifest. */
export function serverVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('package.json', packageFolder), 'utf8'),
  )
  return manifest.version
}
