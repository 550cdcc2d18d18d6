export * from './connections/access/shapes.ts'
export type {
  AnyContent,
  AnswerInfo,
  Api,
  Binary,
  BytesIn,
  ByteSpan,
  CallOptions,
  ItemOf,
  Proxied,
  PublishedItemOf,
  ReadItemOf,
  Streamed,
  TypedInput,
  TypeNameOf,
} from './api/index.ts'
export * from './automation/activity/shapes.ts'
export * from './admin/health-shapes.ts'
export * from './admin/settings-shapes.ts'
export * from './admin/shapes.ts'
export * from './connections/ai/shapes.ts'
export * from './files/assets/endpoints.ts'
export * from './files/assets/shapes.ts'
export * from './people/auth/endpoints.ts'
export * from './people/auth/permissions.ts'
export * from './branches/auto-package/shapes.ts'
export * from './binary.ts'
export * from './contract.ts'
export * from './conventions.ts'
export * from './endpoint.ts'
export * from './error-table.ts'
export * from './errors.ts'
export type * from './forms.ts'
export * from './automation/events/shapes.ts'
export * from './automation/events/words.ts'
export * from './content/folders/shapes.ts'
export * from './delivery/graphql/shapes.ts'
export * from './connections/integrations/shapes.ts'
export * from './content/items/shapes.ts'
export * from './limits.ts'
export * from './content/locales/shapes.ts'
export * from './quota.ts'
export * from './branches/packages/comment-shapes.ts'
export * from './branches/packages/shapes.ts'
export type { TakeBackOutcome } from './branches/packages/take-back.ts'
export * from './branches/transfer/shapes.ts'
export * from './parse.ts'
export * from './proxied-headers.ts'
export * from './proxied.ts'
export * from './permissions.ts'
export { splitList } from './codec/comma-list.ts'
export * from './content/queries/filter.ts'
export * from './content/queries/shapes.ts'
export * from './automation/queue/shapes.ts'
export { withLocale } from './content/locales/with-locale.ts'
export * from './content/references/shapes.ts'
export * from './content/translations/shapes.ts'
export * from './files/renditions/shapes.ts'
export * from './content/repositories/shapes.ts'
export * from './content/rows/shapes.ts'
export * from './content/schema/index.ts'
export * from './content/schema/shapes.ts'
export * from './delivery/published/shapes.ts'
export * from './people/security/bundle-shapes.ts'
export * from './people/security/people-shapes.ts'
export * from './people/security/preferences.ts'
export * from './people/security/shapes.ts'
export * from './delivery/sites/shapes.ts'
export * from './content/taxonomies/shapes.ts'
export * from './content/types/fields.ts'
export * from './content/types/json-schema.ts'
export * from './content/types/shapes.ts'
export * from './files/uploads/shapes.ts'
export * from './automation/webhooks/shapes.ts'
export { WorkflowConnection } from './automation/workflow/connection-shapes.ts'
export { WorkflowDefinition } from './automation/workflow/definition-shapes.ts'
export { EngineAnswer, type EngineStep } from './automation/workflow/engine.ts'
export * from './automation/workflow/shapes.ts'
