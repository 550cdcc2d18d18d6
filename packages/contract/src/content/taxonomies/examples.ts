import { exampleSaved } from '../folders/examples.ts'
import type { Category, Taxonomy } from './shapes.ts'

/** A taxonomy, as the examples of the reference show it. */
export const exampleTaxonomy: Taxonomy = {
  id: 'TAXO_01JB2Q5K1R3T5W7Y9A1C3E5G7J',
  name: 'Topics',
  description: '',
  ...exampleSaved,
}

/** A category of the example taxonomy. */
export const exampleCategory: Category = {
  id: 'CATG_01JB2Q5M3T7Y9C1E4G6J8KNPRS',
  taxonomyId: exampleTaxonomy.id,
  name: 'Ink',
  description: '',
  parentId: 'CATG_01JB2Q5M2S6X8B0D3F5H7KMNQR',
  order: 0,
  ...exampleSaved,
  path: [{ id: 'CATG_01JB2Q5M2S6X8B0D3F5H7KMNQR', name: 'Materials' }],
}

/** The path of the example taxonomy. */
export const exampleTaxonomyPath = { configId: 'magazine', id: exampleTaxonomy.id }

/** The path of the example category. */
export const exampleCategoryPath = {
  configId: 'magazine',
  taxonomyId: exampleTaxonomy.id,
  id: exampleCategory.id,
}
