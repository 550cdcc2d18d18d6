export { getPublishedAsset as asset, getPublishedAssetBySlug as assetBySlug } from './assets.ts'
export { embed } from './embed.ts'
export { getPublished as item, getPublishedBySlug as itemBySlug, listPublished as items } from './items.ts'
export { oembed } from './oembed.ts'
