import { goOnRebuilds, mendDocuments, mendPublished, type Environment } from '@quire/core'

/**
 * What a service does once, when it begins: goes on with rebuilds of search indexes that did not end, and shows what a version of before did not show of
 * what is published, and of what search finds. What fails is tried again when it next begins. What comes again and again are jobs of the queue.
 */
export function upkeepOf(environment: Environment): { begin(): void; end(): void } {
  const { log } = environment
  let isEnded = false
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      log.write('error', `${what}-failed`, { message: String(error) })
    }
  }
  return {
    begin() {
      void attempt('indexes.rebuild', () => goOnRebuilds(environment, () => isEnded))
      void attempt('published.mend', async () => {
        const items = await mendPublished(environment)
        if (items > 0) log.write('info', 'published.mended', { items })
      })
      void attempt('documents.mend', async () => {
        const documents = await mendDocuments(environment, () => isEnded)
        if (documents > 0) log.write('info', 'documents.mended', { documents })
      })
    },
    end() {
      isEnded = true
    },
  }
}
