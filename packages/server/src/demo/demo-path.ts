import { fileURLToPath } from 'node:url'
import { packageFolder } from '../package-folder.ts'

/** The path of a file or folder of the magazine. */
export function magazinePath(path: string): string {
  return fileURLToPath(new URL(`demo/magazine/${path}`, packageFolder))
}
