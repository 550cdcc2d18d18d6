import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core'

/** The text of a GraphQL document, with the types of what it answers and of its variables. At run time it is a string. */
export type Document<R, V> = string & DocumentTypeDecoration<R, V>

/** What the generated documents are written with: their text, and that of the fragments they use. */
export function gql(text: TemplateStringsArray, ...fragments: readonly string[]): string {
  return String.raw({ raw: text }, ...fragments)
}
