export { goOnRebuilds } from './admin/rebuild.ts'
export { anonymous, systemIdentity, type Principal } from './engine/access/identity.ts'
export { AnswerTags } from './engine/cache-tags/answer-tags.ts'
export { Serialized, valueOf, type Answer } from './engine/answer.ts'
export type { RequestHead, Environment, Meter, Origin, Quire, QuireOptions, Request } from './engine/quire.ts'
export { logTraceId, type TraceHeaders } from './engine/trace.ts'
export { ServedBytes } from './engine/served-bytes.ts'
export { ServedEvents } from './engine/served-events.ts'
export { ServedProxied } from './engine/served-proxied.ts'
export { ServedGraphql } from './engine/answer.ts'
export { answerGraphql } from './delivery/graphql/answer-graphql.ts'
export { agentsOnMain, dangerousHoldings, dangerousKeys, type DangerousHolding } from './people/audit.ts'
export { contentDigest } from './branches/transfer/content.ts'
export { lastModified, linesOfShard, parentsFirst, shardsOf } from './branches/transfer/shards.ts'
export { createQuire } from './quire.ts'
export { withLocale } from '@quire/contract'
export {
  scrubBlobs,
  sweepBlobs,
  type BlobFindings,
  type Progress,
  type Swept,
} from './files/assets/maintenance.ts'
export { refuse, type HookRefusal } from './engine/hooks/refuse.ts'
export type {
  BeforeSave,
  Change,
  HookFile,
  HookKind,
  Hooks,
  HookShapes,
  KindHooks,
} from './engine/hooks/hooks.ts'
export { PageNotFound } from './delivery/sites/not-found-page.ts'
export { sweepUploads } from './files/uploads/draft.ts'
