import { statfs } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { type VitalSigns, type Vitals, defaultFloor, floorOf } from '@quire/core/ports'
import { serverVersion } from '../version.ts'

/** The sources of the vitals of a service. */
export interface VitalParts {
  /** A folder on the disk of binaries or rows; null when neither is on a disk of this machine. */
  readonly folder: string | null
  /** Free bytes to leave on the disk. Default: that of `openFileBlobs`. */
  readonly minFreeBytes?: number | undefined
  /** Settings of the store. */
  readonly store: () => Readonly<Record<string, string>>
}

/**
 * Milliseconds for which the event loop is observed, and the resolution. At half, a single long
 * task fills the whole window; at twice, the caller waits twice as long.
 */
const watchedMs = 200
const resolutionMs = 10

/** The vitals of this process. */
export function processVitals({ folder, minFreeBytes, store }: VitalParts): Vitals {
  const version = serverVersion()
  return {
    async read() {
      const [loopDelayMs, disk] = await Promise.all([loopDelay(), diskOf(folder, minFreeBytes)])
      const { rss: rssBytes, heapUsed: heapBytes } = process.memoryUsage()
      const uptimeSeconds = Math.round(process.uptime())
      return { version, uptimeSeconds, loopDelayMs, rssBytes, heapBytes, disk, store: store() }
    },
  }
}

/** The current mean delay of the event loop in milliseconds. */
async function loopDelay(): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  await setTimeout(watchedMs)
  histogram.disable()
  // The histogram includes its own interval.
  const delay = histogram.mean / 1e6 - resolutionMs
  return Number.isFinite(delay) ? Math.max(0, Math.round(delay * 10) / 10) : watchedMs
}

async function diskOf(folder: string | null, minFreeBytes: number | undefined): Promise<VitalSigns['disk']> {
  if (folder === null) return null
  const volume = await statfs(folder)
  return {
    freeBytes: volume.bavail * volume.bsize,
    neededBytes: Math.round(floorOf(volume, minFreeBytes ?? defaultFloor)),
  }
}
