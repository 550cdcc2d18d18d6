import { Id } from '../../conventions.ts'

/** The input that names one entity by its id. */
export const whole = { id: Id }
