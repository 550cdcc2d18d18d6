import { goOnRebuilds, type Environment } from '@quire/core'

/** Ms from one look through the database to the next: a day. It reads the whole file, beside those who are served. */
const verifyEveryMs = 86_400_000

/** Ms between looks at the disk that are told: whoever adds is refused at once all the same. */
const logFreeSpaceEveryMs = 60_000

/**
 * Work of a service outside the queue. At its start it continues rebuilds of search indexes that did not end; what fails is tried again at
 * the next start. Once a day it verifies the database, which it must do even when no job can run.
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
      // What was under way when the service ended failed because of that.
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
