import { streamEvents } from './stream.ts'

/** What happens, while it happens. */
export const events = { stream: streamEvents }
