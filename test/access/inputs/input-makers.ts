import type { Contract, InputOf } from '@quire/contract'
import type { Targets } from '../targets.ts'

/**
 * For each operation of a group, a function that returns a valid input and creates the content that
 * it names.
 */
export type InputMakers<G extends keyof Contract> = {
  readonly [O in keyof Contract[G]]: (
    at: Targets,
  ) => InputOf<Contract[G][O]> | Promise<InputOf<Contract[G][O]>>
}
