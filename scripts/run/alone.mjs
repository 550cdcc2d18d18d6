import { createHash } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { report, root } from './step.mjs'

const RETRY_MS = 100

/**
 * Runs work while no other process does so in the same checkout. The lock is a file with the number
 * of the process, outside of the checkout, because not even node_modules exists there at first.
 */
export async function alone(work, folder = root) {
  const id = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `quire-run-${id}.lock`)
  const release = () => rmSync(lock, { force: true })
  for (let reported = false; !take(lock); reported = true) {
    if (!reported) report(`waiting for another process that installs or builds here (${lock}) …`)
    await sleep(RETRY_MS)
  }
  // A failed step exits without running `finally`.
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

/** Takes the lock, unless a process that runs has it. A lock left by a killed process is removed. */
function take(lock) {
  const own = `${lock}.${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    // In one step, so that the lock is never seen without the number.
    linkSync(own, lock)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!runs(holderOf(lock))) rmSync(lock, { force: true })
    return false
  } finally {
    rmSync(own)
  }
}

/** Null when the lock was just released. */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return null
  }
}

function runs(pid) {
  if (pid === null) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}
