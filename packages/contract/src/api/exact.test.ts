import { expect, it } from 'vitest'
import type { Contract, InputOf, OutputOf } from '../contract.ts'
import type { Api } from './index.ts'

/**
 * Whether two types are the same, and not only assignable to each other: then neither shows that an
 * optional member is missing.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- this is how TypeScript compares
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/**
 * Six levels of a type with intersections and interfaces written out, which are otherwise not the
 * same as an equal object. It ends at some depth because fields and JSON contain themselves.
 */
type WrittenOut<T, D extends 1[] = [1, 1, 1, 1, 1, 1]> = D extends [1, ...infer L extends 1[]]
  ? T extends (...args: never[]) => unknown
    ? T
    : T extends object
      ? { [M in keyof T]: WrittenOut<T[M], L> }
      : T
  : 0

/** What an operation accepts; with undefined if that is optional. */
type Accepted<F> = F extends (...args: infer P extends unknown[]) => unknown ? P[0] : never
type Sent<E> = {} extends InputOf<E> ? InputOf<E> | undefined : InputOf<E>
type Returned<F> = F extends (...args: never[]) => Promise<infer R> ? R : never

type Compared<F, E> = [
  Same<WrittenOut<Accepted<F>>, WrittenOut<Sent<E>>>,
  Same<WrittenOut<Returned<F>>, WrittenOut<OutputOf<E>>>,
]

/** The names of the operations whose types differ from those of the schemas. */
type Different = {
  [G in keyof Contract]: {
    [O in keyof Contract[G] & string]: O extends keyof Api[G]
      ? Compared<Api[G][O], Contract[G][O]> extends [true, true]
        ? never
        : `${G}.${O}`
      : `${G}.${O} is missing`
  }[keyof Contract[G] & string]
}[keyof Contract]

it('is what the schemas infer, for every operation (the type check fails otherwise)', () => {
  const different: Different[] = []
  expect<never[]>(different).toEqual([])
})
