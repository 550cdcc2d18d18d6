import type { EntityWrite, Store } from '@quire/core/ports'

/** A folder and a category that items can be put into: no operation makes them yet. */
export const preparedFolder = 'FOLD_01JB2Q5B8D0F2H4K6M8P0R2T4V'
export const preparedCategory = 'CATG_01JB2Q5M3T7Y9C1E4G6J8KNPRS'

const taxonomy = 'TAXO_01JB2Q5K1R3T5W7Y9A1C3E5G7J'

/** Puts them on the main line of a repository. */
export async function prepareEntities(store: Store, repositoryId: string): Promise<void> {
  const entities = [
    entity({ kind: 'folder', id: preparedFolder, repositoryId }),
    entity({ kind: 'taxonomy', id: taxonomy, repositoryId }),
    entity({ kind: 'category', id: preparedCategory, repositoryId, body: { taxonomyId: taxonomy } }),
  ]
  await store.transaction(async (tx) => {
    for (const each of entities) await tx.entities.put(each, 0)
  })
}

type Named = Pick<EntityWrite, 'kind' | 'id' | 'repositoryId'> & Partial<EntityWrite>

const person = { userName: 'system:fuzz', displayName: 'fuzz', email: '' }

function entity(named: Named): EntityWrite {
  return {
    packageId: null,
    type: named.kind,
    name: named.kind,
    slug: null,
    parentId: null,
    roles: { read: [], write: [], delete: [] },
    body: {},
    version: 1,
    revision: 1,
    base: null,
    publishedVersion: null,
    archived: false,
    deletedDate: null,
    createdDate: 1_790_000_000_000,
    createdBy: person,
    updatedDate: 1_790_000_000_000,
    updatedBy: person,
    publishedDate: null,
    presentation: '{}',
    values: [],
    edges: [],
    searchText: '',
    ...named,
  }
}
