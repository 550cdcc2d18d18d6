export { parseEgressAllow } from './allowance.ts'
export { undiciOutbound, type UndiciOutboundOptions } from './undici-outbound.ts'
export type { Lookup } from './lookup.ts'
