import { limits } from '@quire/contract'
import {
  GraphQLError,
  Kind,
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

/** What a document asks. */
export interface Measure {
  /** Levels of content. What stands in `__schema` has a limit of its own (`MaxIntrospectionDepthRule`): tools ask 14 levels of `ofType`. */
  readonly depth: number
  readonly aliases: number
  readonly directives: number
  /** A field is 1; what stands in a list counts for each of its entries. */
  readonly cost: number
  /** What was walked to know this, fragments wherever they are spread: what costs nothing can double as well. */
  readonly walked: number
}

/** Entries of a list whose `limit` is not said, or comes in a variable: counted as so many. */
const listDefault = 25

/** Errors: GraphQLError for a document that asks more than is answered (TRUST S20, 4.2). */
export function requireModest(document: DocumentNode, variables: Readonly<Record<string, unknown>>): void {
  const { depth, aliases, directives, cost, walked } = measured(document, variables)
  const over = [
    tooMuch('levels', depth, limits.graphqlDepth),
    tooMuch('aliases', aliases, limits.graphqlAliases),
    tooMuch('directives', directives, limits.graphqlDirectives),
    tooMuch('cost', Math.max(cost, walked), limits.graphqlCost),
  ].find((message) => message !== null)
  if (over) throw tooComplex(over)
}

/**
 * Counts entries of lists that stand in items, which no document tells: items that refer to each other ten at a time are ten million seven
 * levels deep. Errors of what it gives: GraphQLError once an execution has read too many.
 */
export function countEntries(): (entries: number) => void {
  let cost = 0
  return (entries) => {
    cost += entries
    const over = tooMuch('cost', cost, limits.graphqlCost)
    if (over) throw tooComplex(over)
  }
}

function tooComplex(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'too_complex' } })
}

function tooMuch(what: string, is: number, most: number): string | null {
  return is > most ? `The document asks too much: ${what} of more than ${most}.` : null
}

/** What a document asks, fragments counted where they are spread. Stops as soon as one limit is passed. */
export function measured(document: DocumentNode, variables: Readonly<Record<string, unknown>>): Measure {
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  )
  const walk: Walk = { fragments, variables, depth: 0, aliases: 0, directives: 0, cost: 0, walked: 0 }
  for (const node of document.definitions) {
    walk.directives += directivesOf(node)
    if (node.kind === Kind.OPERATION_DEFINITION)
      walkSet(walk, node.selectionSet, { depth: 1, factor: 1, isSchema: false, spread: [] })
  }
  return walk
}

interface Walk {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Readonly<Record<string, unknown>>
  depth: number
  aliases: number
  directives: number
  cost: number
  walked: number
}

interface At {
  readonly depth: number
  /** How many of it there are. */
  readonly factor: number
  /** Whether it is asked of the schema. */
  readonly isSchema: boolean
  /** Fragments that are being walked: a circle ends there, and is refused by a rule of its own. */
  readonly spread: readonly string[]
}

function walkSet(walk: Walk, set: SelectionSetNode, at: At): void {
  walk.depth = Math.max(walk.depth, at.depth)
  for (const selection of set.selections) {
    if (isOver(walk)) return
    walk.walked += 1
    walk.directives += directivesOf(selection)
    if (selection.kind === Kind.FIELD) walkField(walk, selection, at)
    else if (selection.kind === Kind.INLINE_FRAGMENT) walkSet(walk, selection.selectionSet, at)
    else walkSpread(walk, selection.name.value, at)
  }
}

function walkField(walk: Walk, field: FieldNode, at: At): void {
  walk.cost += at.factor
  if (field.alias) walk.aliases += 1
  if (!field.selectionSet) return
  const isSchema = at.isSchema || field.name.value === '__schema' || field.name.value === '__type'
  const depth = isSchema ? at.depth : at.depth + 1
  const factor = at.factor * entriesOf(walk, field)
  walkSet(walk, field.selectionSet, { ...at, depth, factor, isSchema })
}

function walkSpread(walk: Walk, name: string, at: At): void {
  const fragment = walk.fragments.get(name)
  if (!fragment || at.spread.includes(name)) return
  walkSet(walk, fragment.selectionSet, { ...at, spread: [...at.spread, name] })
}

/** How many a field answers at most: what it is limited to, one where it takes no limit. */
function entriesOf({ variables }: Walk, { arguments: given = [], selectionSet }: FieldNode): number {
  const limit = given.find(({ name }) => name.value === 'limit')?.value
  if (limit?.kind === Kind.INT) return Math.max(1, Number(limit.value))
  if (limit?.kind === Kind.VARIABLE) {
    const value = variables[limit.name.value]
    return typeof value === 'number' ? Math.max(1, value) : listDefault
  }
  const isList = selectionSet?.selections.some((one) => one.kind === Kind.FIELD && one.name.value === 'items')
  return isList === true ? listDefault : 1
}

function directivesOf(node: ASTNode): number {
  return 'directives' in node ? (node.directives?.length ?? 0) : 0
}

function isOver({ depth, aliases, directives, cost, walked }: Walk): boolean {
  return (
    depth > limits.graphqlDepth ||
    aliases > limits.graphqlAliases ||
    directives > limits.graphqlDirectives ||
    cost > limits.graphqlCost ||
    walked > limits.graphqlCost
  )
}
