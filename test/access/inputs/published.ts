import type { Targets } from '../targets.ts'
import { createArticle, createPicture } from '../things.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests for published content. */
export const published: InputMakers<'published'> = {
  items: async (at) => {
    await article(at)
    return { configId: at.configId, sort: '-createdDate', limit: 3 }
  },
  item: async (at) => ({ configId: at.configId, id: (await article(at)).id }),
  itemBySlug: async (at) => ({ configId: at.configId, slug: (await article(at)).slug ?? '' }),
  asset: async (at) => ({ configId: at.configId, assetId: (await picture(at)).id, rendition: 'thumbnail' }),
  assetBySlug: async (at) => {
    const { slug } = await picture(at)
    return { configId: at.configId, slug: slug ?? '', rendition: 'original' }
  },
  embed: async (at) => ({ configId: at.configId, assetId: (await picture(at)).id }),
  oembed: async (at) => ({ url: `${at.baseUrl}/api/embed/${at.configId}/${(await picture(at)).id}` }),
}

async function article(at: Targets) {
  const item = await createArticle(at)
  return at.system.items.publish({ configId: at.configId, id: item.id })
}

async function picture(at: Targets) {
  const item = await createPicture(at)
  return at.system.items.publish({ configId: at.configId, id: item.id })
}
