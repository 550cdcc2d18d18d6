import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

function run(command: string, ...values: readonly string[]): void {
  execFileSync(command, values, { stdio: 'pipe' })
}

/** Mounts a tmpfs of some MiB on a folder. Errors: this process may not mount. */
export function mountSmall(folder: string, mebibytes: number): void {
  run('mount', '-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'none', folder)
}

export function unmount(folder: string): void {
  run('umount', '-l', folder)
}

/** Why no tmpfs can be mounted; null if it can. */
export function whyNoMount(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'quire-mount-'))
  try {
    mountSmall(folder, 1)
    unmount(folder)
    return null
  } catch (error) {
    const why = `no tmpfs can be mounted: ${String(error)}`
    // The name of a test that a hook skips does not include the reason.
    console.log(`skipped: ${why}`)
    return why
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Fills a disk up to a number of free bytes, with a file that `freeDisk` removes. */
export function fillDisk(folder: string, left: number): void {
  freeDisk(folder)
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(ballastIn(folder), Buffer.alloc(Math.max(0, bavail * bsize - left)))
}

/** Fills a disk completely, including space that is freed in the meantime. */
export function fillWhole(folder: string): void {
  const descriptor = openSync(ballastIn(folder), 'a')
  try {
    for (;;) writeSync(descriptor, new Uint8Array(4096))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(descriptor)
  }
}

export function freeDisk(folder: string): void {
  rmSync(ballastIn(folder), { force: true })
}

function ballastIn(folder: string): string {
  return join(folder, 'ballast')
}
