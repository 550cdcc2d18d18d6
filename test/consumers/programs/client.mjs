// What a page of a frontend imports.
export { createClient } from '@quire/client'
