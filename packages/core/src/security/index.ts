export * as roles from './roles.ts'
export * as serviceAccounts from './service-accounts.ts'
