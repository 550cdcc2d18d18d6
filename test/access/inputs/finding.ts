import { commonPackage } from '../site.ts'
import { createPage } from '../sites.ts'
import { createQuery } from '../structures.ts'
import type { Targets } from '../targets.ts'
import { createArticle, createOpenArticle, createReferring, createTranslated } from '../things.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests for references to an item, and where it is displayed. */
export const references: InputMakers<'references'> = {
  items: onReferred,
  sites: async (at) => {
    const { id: assetId } = await createArticle(at)
    await createPage(at, assetId)
    return { configId: at.configId, ...at.branch, assetId }
  },
}

/** Requests for the dependencies of an item, in both directions. */
export const dependencies: InputMakers<'dependencies'> = {
  get: async (at) => ({ ...(await onReferred(at)), depth: 2 }),
}

/**
 * An item that all readers of items may read. It is referred to by an item that may be hidden from
 * the caller.
 */
export async function referredByHidden(at: Targets) {
  const { id: itemId } = await createOpenArticle(at)
  await createReferring(at, [itemId])
  return { configId: at.configId, ...at.branch, itemId }
}

/** Requests for the states of translations. */
export const translations: InputMakers<'translations'> = {
  list: async (at) => {
    await createTranslated(at)
    return { configId: at.configId, ...at.branch, locale: 'de', state: ['outdated'] }
  },
  confirm: async (at) => {
    const { id: itemId } = await createTranslated(at)
    return { configId: at.configId, ...at.branch, itemId, locale: 'de' }
  },
  export: async (at) => {
    await createTranslated(at)
    return { configId: at.configId, ...at.branch, locale: 'de' }
  },
  import: async (at) => {
    await createTranslated(at)
    return { configId: at.configId, packageName: commonPackage, file: await xliffOf(at) }
  },
}

/** A file in which a translator says that everything is still right. */
async function xliffOf({ system, configId, branch }: Targets): Promise<File> {
  const bytes = await (await system.translations.export({ configId, ...branch, locale: 'de' })).bytes()
  const text = new TextDecoder().decode(bytes)
  return new File([text.replaceAll(/<segment [^>]*>/g, '<segment state="final">')], 'de.xlf')
}

/** Requests for the activity log. */
export const activity: InputMakers<'activity'> = {
  get: async (at) => {
    const { id: assetId } = await createArticle(at)
    return { configId: at.configId, ...at.branch, assetId }
  },
  list: async (at) => {
    await createArticle(at)
    return { configId: at.configId, limit: 3 }
  },
}

/** Requests for event streams, positioned before an event of an article. */
export const events: InputMakers<'events'> = {
  stream: async (at) => {
    const { system, configId, word } = at
    const happening = await system.events.stream({ repositories: [configId] })
    await system.repositories.update({ id: configId, description: word('Changed') })
    const lastEventId = await firstId(happening)
    await createArticle(at)
    return { repositories: [configId], lastEventId }
  },
}

async function firstId(happening: AsyncIterable<{ readonly id: string }>): Promise<string> {
  for await (const { id } of happening) return id
  throw new Error('the stream ended without an event')
}

/** Requests that run queries. */
export const queries: InputMakers<'queries'> = {
  run: async (at) => {
    await createArticle(at)
    return {
      configId: at.configId,
      ...at.branch,
      text: 'article',
      sort: '-createdDate',
      limit: 3,
      facets: ['type', 'folderId', 'fields.title'],
      highlight: true,
    }
  },
  runSaved: async (at) => {
    await createArticle(at)
    return { ...(await createQuery(at)), ...at.branch, parameters: { most: '5' } }
  },
}

/** Requests about saved queries. */
export const savedQueries: InputMakers<'savedQueries'> = {
  list: async (at) => {
    const { configId } = await createQuery(at)
    return { configId, limit: 1000 }
  },
  get: createQuery,
  create: ({ configId, word }) => ({ configId, name: word('new'), query: { text: 'ink' } }),
  update: async (at) => ({ ...(await createQuery(at)), description: 'Changed' }),
  delete: createQuery,
}

async function onReferred(at: Targets) {
  const { id: itemId } = await createArticle(at)
  await createReferring(at, [itemId])
  return { configId: at.configId, ...at.branch, itemId }
}
