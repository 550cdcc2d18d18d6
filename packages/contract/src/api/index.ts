// The types of the API, without zod: what a client needs.
export type * from './bytes.ts'
export type * from './call.ts'
export type { AnyContent, ContentOperation, TypedInput, TypeNameOf } from './content-operation.ts'
export type * from './generated/index.ts'
export type * from './item-of.ts'
export type * from './json-value.ts'
export type * from './proxied.ts'
