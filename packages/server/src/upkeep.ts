import {
  goOnRebuilds,
  mendDocuments,
  mendPublished,
  sweepEphemera,
  sweepUploads,
  turnKeys,
  type Environment,
} from '@quire/core'

const hourMs = 60 * 60 * 1000

/**
 * What a service does for itself: goes on once with rebuilds of search indexes that did not end, and shows what a version of before did not
 * show of what is published; removes what has expired and turns the keys that sign tokens, when it begins and every hour until it is
 * ended. What fails is tried again an hour later.
 */
export function upkeepOf(environment: Environment): { begin(): void; end(): void } {
  const { log } = environment
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      log.write('error', `${what}-failed`, { message: String(error) })
    }
  }
  let isEnded = false
  const all = async () => {
    await attempt('documents.mend', async () => {
      const documents = await mendDocuments(environment, () => isEnded)
      if (documents > 0) log.write('info', 'documents.mended', { documents })
    })
    await attempt('uploads.sweep', async () => {
      const uploads = await sweepUploads(environment)
      if (uploads > 0) log.write('info', 'uploads.swept', { uploads })
    })
    await attempt('ephemera.sweep', () => sweepEphemera(environment))
    await attempt('keys.turn', async () => {
      const turned = await turnKeys(environment)
      if (turned.made + turned.retired > 0) log.write('info', 'keys.turned', turned)
    })
  }
  let timer: NodeJS.Timeout | undefined
  const mend = () =>
    attempt('published.mend', async () => {
      const items = await mendPublished(environment)
      if (items > 0) log.write('info', 'published.mended', { items })
    })
  return {
    begin() {
      void attempt('indexes.rebuild', () => goOnRebuilds(environment, () => isEnded))
      void mend()
      void all()
      timer = setInterval(() => void all(), hourMs)
      timer.unref()
    },
    end() {
      isEnded = true
      clearInterval(timer)
    },
  }
}
