export type {
  AnyContent,
  Api,
  Binary,
  BytesIn,
  CallOptions,
  ItemOf,
  PublishedItemOf,
  ReadItemOf,
  Streamed,
  TypeNameOf,
} from '@quire/contract'
export { QuireError, TokenError, type Conflict, type ErrorCode, type Issue } from '@quire/contract/client'
export { createClient, type Client, type ClientAssets, type DownloadInput } from './create-client.ts'
export { isQuireError } from './is-quire-error.ts'
export type { Auth, ClientOptions, RetryOptions } from './options.ts'
export { all, pages } from './pages.ts'
export type { UploadMemory, UploadOptions } from './upload.ts'
