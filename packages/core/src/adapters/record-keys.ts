import { type RecordKinds, type RecordKind } from '../ports/index.ts'

/**
 * Whether values computed from records of this kind are cached. Preferences change often, and
 * nothing is computed from them.
 */
export function isWatched(kind: RecordKind): boolean {
  return kind !== 'preferences'
}

/**
 * The unique keys of a record, by which `RecordReader.find` finds it. No two records of a kind
 * share one.
 */
export const recordKeys: { readonly [K in RecordKind]: (record: RecordKinds[K]) => readonly string[] } = {
  repository: (repository) => [`name:${repository.name}`],
  type: (type) => [`name:${type.name}`, `apiName:${type.apiName.toLowerCase()}`],
  role: (role) => [`searchId:${role.searchId}`, `name:${role.name}`],
  bundle: () => [],
  user: (user) => [`searchId:${user.searchId}`],
  group: (group) => [`searchId:${group.searchId}`, `name:${group.name}`],
  preferences: () => [],
  serviceAccount: () => [],
  // A deleted package keeps its record, but its name becomes free.
  package: ({ repositoryId, name, state }) => (state === 'deleted' ? [] : [`name:${repositoryId}/${name}`]),
  merge: () => [],
  packageComments: () => [],
  shareLink: ({ hash }) => [`hash:${hash}`],
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

/** The unique keys of a record whose kind is known only at run time. */
export function keysOf<K extends RecordKind>(kind: K, record: RecordKinds[K]): readonly string[] {
  return recordKeys[kind](record)
}
