export * as graphql from './operations.ts'
