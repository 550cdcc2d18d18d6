export * from './events.ts'
export type { ReadName, WriteName } from './operation.ts'
export * from './options.ts'
