/** What a page of a frontend imports: bundled by `client-line.ts`. */
export { createClient } from '@quire/client'
