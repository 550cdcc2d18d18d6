export * from '../../../test/services/swift.ts'
