import type { Contract, InputOf } from '@quire/contract'
import type { Targets } from '../targets.ts'

/** A valid input of each operation of a group, which makes what it names. */
export type InputMakers<G extends keyof Contract> = {
  readonly [O in keyof Contract[G]]: (
    at: Targets,
  ) => InputOf<Contract[G][O]> | Promise<InputOf<Contract[G][O]>>
}
