import { FieldList } from './fields.ts'
import type { ContentType } from './shapes.ts'

export const exampleType: ContentType = {
  id: 'TYPE_01JB2Q3F2K4M6P8R0T2V4X6Z8B',
  name: 'article',
  displayName: 'Article',
  apiName: 'Article',
  description: '',
  isLocked: false,
  settings: {
    isAsset: false,
    mimeTypes: [],
    maxBytes: null,
    slugFrom: 'title',
    titleField: 'title',
    cardTemplate: null,
    pageTemplate: null,
    versionLimit: null,
    publishable: true,
  },
  fields: FieldList.parse([{ name: 'title', kind: 'text', required: true }]),
  createdDate: 1_790_000_000_000,
  updatedDate: 1_790_000_000_000,
}
