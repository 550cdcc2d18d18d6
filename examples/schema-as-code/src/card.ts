import type { Fields } from '@quire/contract/schema'
import type { recipe } from './schema.ts'

type Recipe = Fields<typeof recipe>

/** A recipe in one line: `Bread — 35 min, vegan`. */
export function card({ title = 'Untitled', minutes, diet = [] }: Recipe): string {
  const facts = [...(minutes === undefined ? [] : [`${minutes} min`]), ...diet.map((name) => labels[name])]
  return facts.length === 0 ? title : `${title} — ${facts.join(', ')}`
}

/** An option without a label does not compile. */
const labels: Record<NonNullable<Recipe['diet']>[number], string> = {
  vegan: 'vegan',
  glutenFree: 'gluten-free',
}

/** How long somebody waits while a recipe is made, in minutes. */
export function waiting({ steps = [] }: Recipe): number {
  return steps.reduce((sum, step) => sum + (step.type === 'wait' ? (step.minutes ?? 0) : 0), 0)
}
