import type { Targets } from '../targets.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about what is published. */
export const published: InputMakers<'published'> = {
  items: ({ configId }) => ({ configId, limit: 1 }),
  item: async (at) => {
    const { id } = await at.article()
    await at.system.items.publish({ configId: at.configId, id })
    return { configId: at.configId, id }
  },
  itemBySlug: async (at) => {
    const { id, slug } = await at.article()
    await at.system.items.publish({ configId: at.configId, id })
    return { configId: at.configId, slug: slug ?? '' }
  },
  asset: async (at) => ({ configId: at.configId, assetId: (await picture(at)).id, rendition: 'thumbnail' }),
  assetBySlug: async (at) => {
    const { slug } = await picture(at)
    return { configId: at.configId, slug: slug ?? '', rendition: 'original' }
  },
  embed: async (at) => ({ configId: at.configId, assetId: (await picture(at)).id }),
  oembed: async (at) => ({ url: `${at.baseUrl}/api/embed/${at.configId}/${(await picture(at)).id}` }),
}

async function picture(at: Targets) {
  const item = await at.picture()
  return at.system.items.publish({ configId: at.configId, id: item.id })
}
