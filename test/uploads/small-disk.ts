import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

function run(command: string, ...values: readonly string[]): void {
  execFileSync(command, values, { stdio: 'pipe' })
}

/** Makes a folder a disk of its own, of so many MiB, in memory. Errors: where this process may not mount. */
export function mountSmall(folder: string, mebibytes: number): void {
  run('mount', '-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'none', folder)
}

export function unmount(folder: string): void {
  run('umount', '-l', folder)
}

/** Why no disk of its own can be had for a test; null when it can. */
export function whyNoMount(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'quire-mount-'))
  try {
    mountSmall(folder, 1)
    unmount(folder)
    return null
  } catch (error) {
    return `no tmpfs can be mounted: ${String(error)}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Leaves so many bytes of a disk free, by a file that `freeDisk` removes. */
export function fillDisk(folder: string, left: number): void {
  freeDisk(folder)
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(ballastIn(folder), Buffer.alloc(Math.max(0, bavail * bsize - left)))
}

export function freeDisk(folder: string): void {
  rmSync(ballastIn(folder), { force: true })
}

function ballastIn(folder: string): string {
  return join(folder, 'ballast')
}
