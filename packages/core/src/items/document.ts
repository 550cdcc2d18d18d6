import type { ContentType } from '@quire/contract'
import type { SearchDocument, Snapshot } from '../ports/index.ts'
import { passagesOf } from '../types/derived.ts'
import { contentOf } from './content.ts'

/** What full-text search finds an item by; of a type that is gone, what every item has. */
export function documentOf(snapshot: Snapshot, type: ContentType | null): SearchDocument {
  const { name, slug, description, categories, asset, fields } = contentOf(snapshot)
  const passages = [
    { path: 'description', text: description },
    { path: 'slug', text: slug.replaceAll('-', ' ') },
    ...(asset ? [{ path: 'originalFileName', text: asset.fileName }] : []),
    ...(type ? passagesOf(type.fields, fields) : []),
  ]
  return { name, passages: passages.filter(({ text }) => text !== ''), categories, file: asset?.hash ?? null }
}
