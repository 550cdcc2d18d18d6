export * as renditionPresets from './preset-operations.ts'
export * as renditions from './operations.ts'
