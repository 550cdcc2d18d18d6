export * from '../../../test/services/postgres.ts'
