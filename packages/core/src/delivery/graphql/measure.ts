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

/** How complex a document is. */
export interface Measure {
  /**
   * Levels of selections, except within `__schema`. Introspection has its own limit
   * (`MaxIntrospectionDepthRule`), because tools ask for 14 levels of `ofType`.
   */
  readonly depth: number
  readonly aliases: number
  readonly directives: number
  /** A field costs 1. A field in a list costs 1 for each of the list's entries. */
  readonly cost: number
  /**
   * Number of selections visited, including fragments at each spread: even fragments without
   * fields can grow exponentially.
   */
  readonly walked: number
}

/** Number of entries to count for a list without a numeric `limit`. */
const listDefault = 25

/** Errors: GraphQLError for a document that exceeds a limit (TRUST S20, 4.2). */
export function requireSimple(document: DocumentNode, variables: Readonly<Record<string, unknown>>): void {
  const { depth, aliases, directives, cost, walked } = measureDocument(document, variables)
  if (depth > limits.graphqlDepth) throw tooComplex(`more than ${limits.graphqlDepth} levels`)
  if (aliases > limits.graphqlAliases) throw tooComplex(`more than ${limits.graphqlAliases} aliases`)
  if (directives > limits.graphqlDirectives)
    throw tooComplex(`more than ${limits.graphqlDirectives} directives`)
  requireCost(Math.max(cost, walked))
}

/**
 * Creates a function that counts the entries of lists within items, whose length no document
 * states. Items that each refer to ten others would give ten million entries at seven levels.
 * Errors of the function: GraphQLError once an execution has read too many.
 */
export function countEntries(): (entries: number) => void {
  let cost = 0
  return (entries) => {
    cost += entries
    requireCost(cost)
  }
}

function requireCost(cost: number): void {
  if (cost > limits.graphqlCost) throw tooComplex(`a cost of more than ${limits.graphqlCost}`)
}

function tooComplex(excess: string): GraphQLError {
  const message = `The document is too complex: it has ${excess}.`
  return new GraphQLError(message, { extensions: { code: 'too_complex' } })
}

/**
 * Measures a document, counting fragments at each spread. Stops as soon as one limit is
 * exceeded.
 */
export function measureDocument(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): Measure {
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

interface Position {
  readonly depth: number
  /** How often the selection is repeated by the lists around it. */
  readonly factor: number
  /** Whether it is part of an introspection query. */
  readonly isSchema: boolean
  /** Fragments being walked. A cycle ends at them, and validation rejects it. */
  readonly spread: readonly string[]
}

function walkSet(walk: Walk, set: SelectionSetNode, position: Position): void {
  walk.depth = Math.max(walk.depth, position.depth)
  for (const selection of set.selections) {
    if (isOver(walk)) return
    walk.walked += 1
    walk.directives += directivesOf(selection)
    if (selection.kind === Kind.FIELD) walkField(walk, selection, position)
    else if (selection.kind === Kind.INLINE_FRAGMENT) walkSet(walk, selection.selectionSet, position)
    else walkSpread(walk, selection.name.value, position)
  }
}

function walkField(walk: Walk, field: FieldNode, position: Position): void {
  walk.cost += position.factor
  if (field.alias) walk.aliases += 1
  if (!field.selectionSet) return
  const isSchema = position.isSchema || field.name.value === '__schema' || field.name.value === '__type'
  const depth = isSchema ? position.depth : position.depth + 1
  const factor = position.factor * entriesOf(walk, field)
  walkSet(walk, field.selectionSet, { ...position, depth, factor, isSchema })
}

function walkSpread(walk: Walk, name: string, position: Position): void {
  const fragment = walk.fragments.get(name)
  if (!fragment || position.spread.includes(name)) return
  walkSet(walk, fragment.selectionSet, { ...position, spread: [...position.spread, name] })
}

/**
 * The most entries a field can return: its limit, the default for a list without one, 1 for
 * anything else.
 */
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
