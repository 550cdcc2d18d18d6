import type { Contract, OutputOf } from '@quire/contract'

/** The name of any operation of the contract, such as `items.publish`. */
export type OperationName = {
  [G in keyof Contract]: `${G}.${keyof Contract[G] & string}`
}[keyof Contract]

/** The output of the operation with this name. */
export type OutputNamed<N extends OperationName> = N extends `${infer G extends keyof Contract}.${infer O}`
  ? O extends keyof Contract[G]
    ? OutputOf<Contract[G][O]>
    : never
  : never
