import { goOnRebuilds, type Environment } from '@quire/core'

/**
 * Milliseconds between verifications of the database: a day. Each one reads the whole file while
 * requests are served.
 */
const verifyEveryMs = 86_400_000

/**
 * Milliseconds between checks of free space for the log. Writes are refused at once when space runs
 * out, whatever this interval is.
 */
const logFreeSpaceEveryMs = 60_000

/**
 * Maintenance of a service outside the queue. On start it continues unfinished rebuilds of search
 * indexes; a rebuild that fails is tried again on the next start. Once a day it verifies the
 * database, because that must happen even when no job can run.
 */
export function maintenanceOf(environment: Environment): { begin(): void; end(): void } {
  const { log, store } = environment
  let isEnded = false
  let daily: NodeJS.Timeout | undefined
  let minutely: NodeJS.Timeout | undefined
  let isLow = false
  const logFreeSpace = async () => {
    try {
      await store.requireRoom?.()
      if (isLow) log.write('info', 'disk.room', {})
      isLow = false
    } catch (error) {
      if (!isLow) log.write('error', 'disk.low', { message: String(error) })
      isLow = true
    }
  }
  const verify = () => attempt('store.check', async () => store.verify?.())
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      // Work that was under way when the service ended failed because of that.
      if (!isEnded) log.write('error', `${what}-failed`, { message: String(error) })
    }
  }
  return {
    begin() {
      void logFreeSpace()
      minutely = setInterval(() => void logFreeSpace(), logFreeSpaceEveryMs).unref()
      void verify()
      daily = setInterval(() => void verify(), verifyEveryMs).unref()
      void attempt('indexes.rebuild', () => goOnRebuilds(environment, () => isEnded))
    },
    end() {
      isEnded = true
      clearInterval(daily)
      clearInterval(minutely)
    },
  }
}
