import { type RecordKinds, type RecordKind } from '../ports/index.ts'

/** Whether something is computed from records of a kind and kept: what users set for themselves changes often, and nothing is. */
export function isWatched(kind: RecordKind): boolean {
  return kind !== 'preferences'
}

/** The unique keys of a record, by which `find` finds it. No two records of a kind share one. */
export const recordKeys: { readonly [K in RecordKind]: (record: RecordKinds[K]) => readonly string[] } = {
  repository: (repository) => [`name:${repository.name}`],
  type: (type) => [`name:${type.name}`, `apiName:${type.apiName.toLowerCase()}`],
  role: (role) => [`searchId:${role.searchId}`, `name:${role.name}`],
  bundle: () => [],
  user: (user) => [`searchId:${user.searchId}`],
  group: (group) => [`searchId:${group.searchId}`, `name:${group.name}`],
  preferences: () => [],
  serviceAccount: () => [],
  // Of a deleted package the record stays, its name does not.
  package: ({ repositoryId, name, state }) => (state === 'deleted' ? [] : [`name:${repositoryId}/${name}`]),
  merge: () => [],
  autoPackageRule: ({ repositoryId, name }) => [`name:${repositoryId}/${name}`],
  renditionPreset: ({ repositoryId, name }) => [`name:${repositoryId}/${name}`],
  savedQuery: ({ repositoryId, name }) => [`name:${repositoryId}/${name}`],
  indexRebuild: ({ repositoryId }) => [`repository:${repositoryId}`],
  structure: () => [],
  publishedSite: ({ slug }) => [`slug:${slug}`],
  webhook: () => [],
  accessConfiguration: () => [],
  workflow: () => [],
  workflowConnection: ({ name }) => [`name:${name}`],
  workflowDefinition: ({ name }) => [`name:${name}`],
  settings: () => [],
  signingKey: () => [],
  keyRing: () => [],
}

/** The keys of any record of a kind known only at run time. */
export function keysOf<K extends RecordKind>(kind: K, record: RecordKinds[K]): readonly string[] {
  return recordKeys[kind](record)
}
