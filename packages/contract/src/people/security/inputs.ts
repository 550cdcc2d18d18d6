import { Id } from '../../conventions.ts'

/** One of them, by its id. */
export const whole = { id: Id }
