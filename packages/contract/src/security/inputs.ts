import { Id, listInput } from '../conventions.ts'

/** What lists of accounts, roles and groups take: they are small and come whole without a limit. */
export const listing = { limit: listInput.limit, cursor: listInput.cursor }

/** One of them, by its id. */
export const whole = { id: Id }
