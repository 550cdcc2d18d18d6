import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core'

/**
 * The text of a GraphQL document, with the types of its result and of its variables. At run time it
 * is a string.
 */
export type Document<R, V> = string & DocumentTypeDecoration<R, V>

/** The template tag of the generated documents. Appends the text of the fragments that they use. */
export function gql(text: TemplateStringsArray, ...fragments: readonly string[]): string {
  return String.raw({ raw: text }, ...fragments)
}
