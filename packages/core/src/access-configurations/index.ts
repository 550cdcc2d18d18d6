export * as accessConfigurations from './operations.ts'
