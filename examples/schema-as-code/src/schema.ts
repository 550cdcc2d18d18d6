import { defineField, defineSchema, defineType } from '@quire/contract/schema'

const title = defineField({ name: 'title', kind: 'text', required: true, settings: { maxLength: 120 } })

export const cook = defineType({ name: 'cook', displayName: 'Cook', fields: [title] })

export const recipe = defineType({
  name: 'recipe',
  displayName: 'Recipe',
  settings: { slugFrom: 'title' },
  fields: [
    title,
    { name: 'minutes', kind: 'integer', settings: { min: 1 } },
    { name: 'diet', kind: 'text', list: true, settings: { options: ['vegan', 'glutenFree'] } },
    { name: 'cook', kind: 'reference', settings: { types: ['cook'] } },
    {
      name: 'steps',
      kind: 'union',
      list: true,
      settings: {
        variants: [
          { name: 'work', fields: [{ name: 'text', kind: 'text' }] },
          { name: 'wait', fields: [{ name: 'minutes', kind: 'integer' }] },
        ],
      },
    },
  ],
})

export const schema = defineSchema([cook, recipe])
