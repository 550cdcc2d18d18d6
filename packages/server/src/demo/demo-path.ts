import { fileURLToPath } from 'node:url'
import { packageFolder } from '../package-folder.ts'

/** Where a file or folder of the magazine is. */
export function magazinePath(path: string): string {
  return fileURLToPath(new URL(`demo/magazine/${path}`, packageFolder))
}
