import type { Contract, OutputOf, ParsedOf } from '@quire/contract'

/** The name of any operation of the contract, such as `items.publish`. */
export type OperationName = {
  [G in keyof Contract]: `${G}.${keyof Contract[G] & string}`
}[keyof Contract]

/** The endpoint of the operation with this name. */
type EndpointNamed<N extends OperationName> = N extends `${infer G extends keyof Contract}.${infer O}`
  ? O extends keyof Contract[G]
    ? Contract[G][O]
    : never
  : never

/** The input of the operation with this name, after it has been validated. */
export type InputNamed<N extends OperationName> = ParsedOf<EndpointNamed<N>>

/** The output of the operation with this name. */
export type OutputNamed<N extends OperationName> = OutputOf<EndpointNamed<N>>
