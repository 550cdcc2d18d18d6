import type { Targets } from '../targets.ts'
import { createArticle } from '../things.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about items. */
export const items: InputMakers<'items'> = {
  getBySlug: async (at) => {
    const { slug } = await createArticle(at)
    return { configId: at.configId, ...at.branch, slug: slug ?? '' }
  },
  list: async (at) => {
    const { configId } = await onArticle(at)
    return { configId, ...at.branch, sort: '-createdDate', limit: 3 }
  },
  get: onArticle,
  versions: onArticle,
  diff: async (at) => ({ ...(await onArticle(at)), from: '1' }),
  validate: onArticle,
  schedule: onArticle,
  preview: onArticle,
  create: ({ configId, branch, word }) => ({
    repositoryId: configId,
    ...branch,
    type: 'article',
    name: word('new'),
  }),
  update: async (at) => ({ ...(await onArticle(at)), name: 'Changed' }),
  copy: async (at) => ({ ...(await onArticle(at)), name: at.word('copy') }),
  move: async (at) => ({ ...(await onArticle(at)), folderId: null }),
  restore: async (at) => ({ ...(await onArticle(at)), version: 1 }),
  categorize: async (at) => ({ ...(await onArticle(at)), categoryId: at.shelf.categoryId }),
  decategorize: async (at) => {
    const article = { ...(await onArticle(at)), categoryId: at.shelf.categoryId }
    await at.system.items.categorize(article)
    return article
  },
  publish: onArticle,
  unpublish: (at) => onArticle(at, (ref) => at.system.items.publish(ref)),
  archive: onArticle,
  unarchive: (at) => onArticle(at, (ref) => at.system.items.archive(ref)),
  delete: onArticle,
  undelete: (at) => onArticle(at, (ref) => at.system.items.delete(ref)),
  bulk: (at) => bulkOf(at, 'update'),
  exportRows: ({ configId, branch }) => ({ configId, ...branch, type: 'article' }),
  importRows: ({ configId, branch, word }) => ({
    configId,
    ...branch,
    type: 'article',
    file: new File([JSON.stringify({ name: word('row') })], 'rows.ndjson'),
  }),
}

/** The only request that requires a different permission per action. */
export async function bulkOf(at: Targets, action: 'update' | 'publish' | 'archive' | 'delete') {
  const { id, ...scope } = await onArticle(at)
  return { ...scope, action, ids: [id], atomic: true, input: action === 'update' ? { name: 'Changed' } : {} }
}

interface ItemRef {
  readonly configId: string
  readonly packageName?: string
  readonly id: string
}

async function onArticle(
  at: Targets,
  prepare: (ref: ItemRef) => Promise<unknown> = async () => undefined,
): Promise<ItemRef> {
  const { id } = await createArticle(at)
  const ref = { configId: at.configId, ...at.branch, id }
  await prepare(ref)
  return ref
}
