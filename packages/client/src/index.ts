// Every named type of the API: `Api`, `Item`, `ItemsCreateInput`, …
export type * from '@quire/contract/api'
export { QuireError, TokenError, type Conflict, type ErrorCode, type Issue } from '@quire/contract/client'
export { createClient, type Client, type ClientAssets, type DownloadInput } from './create-client.ts'
export { isQuireError } from './is-quire-error.ts'
export type { Auth, ClientOptions, RetryOptions } from './options.ts'
export { all, pages } from './pages.ts'
export type { UploadMemory, UploadOptions } from './upload.ts'
