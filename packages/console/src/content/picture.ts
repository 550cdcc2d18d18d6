import type { ReadItem } from '@quire/client'
import { serviceUrl } from '../service.ts'

/** The address of a rendition of an item that is a picture; null for others. */
export function pictureUrl({ asset, renditions = [] }: ReadItem, rendition: string): string | null {
  const found = renditions.find(({ name }) => name === rendition) ?? renditions[0]
  // The service writes addresses without its own, below which it may be.
  return asset?.mimeType.startsWith('image/') && found ? `${serviceUrl}${found.url}` : null
}
