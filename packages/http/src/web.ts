/** The handler without the parts that need Node: for tests, and for pages in a browser. */
export type { CacheTagHeader } from './responses/edge-headers.ts'
export { createUnlimitedHandler } from './fetch/create-unlimited-handler.ts'
export type { FetchHandler, Given, Handled, HandlerOptions, RequestContext } from './fetch/options.ts'
