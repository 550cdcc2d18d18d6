import { sweepUploads, type Environment } from '@quire/core'

const hourMs = 60 * 60 * 1000

/** Removes what expired uploads left, now and every hour, until it is ended. What fails is tried again an hour later. */
export function startUpkeep(environment: Environment): { end(): void } {
  const sweep = async () => {
    try {
      const uploads = await sweepUploads(environment)
      if (uploads > 0) environment.log.write('info', 'uploads.swept', { uploads })
    } catch (error) {
      environment.log.write('error', 'uploads.sweep-failed', { message: String(error) })
    }
  }
  void sweep()
  const timer = setInterval(() => void sweep(), hourMs)
  timer.unref()
  return { end: () => clearInterval(timer) }
}
