export * as autoPackage from './operations.ts'
export * as autoPackageRules from './rule-operations.ts'
