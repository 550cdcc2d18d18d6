import { deepEqual } from 'node:assert/strict'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const configId = 'magazine'

/** A block in English and German. */
interface Block {
  readonly source: string
  readonly translation: string
}

const aBlock: fc.Arbitrary<Block> = fc.record({
  source: fc.constantFrom('One', 'Two', 'Three'),
  translation: fc.constantFrom('Eins', 'Zwei'),
})

/** A change of one block; `rename` gives the field of all blocks another name. */
interface Change {
  readonly deed: 'add' | 'remove' | 'move' | 'source' | 'translate' | 'confirm' | 'rename'
  readonly block: Block
  readonly index: number
}

const aChange: fc.Arbitrary<Change> = fc.record({
  deed: fc.oneof(
    { weight: 3, arbitrary: fc.constant('add') },
    { weight: 4, arbitrary: fc.constant('source') },
    { weight: 4, arbitrary: fc.constantFrom('remove', 'move', 'translate', 'confirm', 'rename') },
  ),
  block: aBlock,
  index: fc.nat(3),
})

/** What the law says: the sources that each translation was made or confirmed against. */
class Model {
  blocks: readonly Block[] = []
  readonly sources = new Map<string, Set<string>>()

  states(): string[] {
    return this.blocks.map(({ source, translation }) =>
      this.sources.get(translation)?.has(source) ? 'current' : 'outdated',
    )
  }

  run({ deed, block, index }: Change): void {
    const old = this.blocks[index]
    const rest = this.blocks.filter((_, at) => at !== index)
    if (deed === 'add') {
      this.blocks = this.blocks.toSpliced(index, 0, block)
      this.made(block)
    } else if (!old) return
    else if (deed === 'remove') this.blocks = rest
    else if (deed === 'move') this.blocks = [...rest, old]
    else if (deed === 'source') this.blocks = this.blocks.with(index, { ...old, source: block.source })
    else if (deed === 'translate' && block.translation !== old.translation) {
      const translated = { ...old, translation: block.translation }
      this.blocks = this.blocks.with(index, translated)
      this.made(translated)
    } else if (deed === 'confirm') this.confirm(old)
    const used = new Set(this.blocks.map(({ translation }) => translation))
    for (const translation of this.sources.keys())
      if (!used.has(translation)) this.sources.delete(translation)
  }

  made({ source, translation }: Block): void {
    this.sources.set(translation, new Set([source, ...(this.sources.get(translation) ?? [])]))
  }

  confirm(block: Block): void {
    if (this.sources.get(block.translation)?.has(block.source)) return
    const others = this.blocks.filter(({ translation }) => translation === block.translation)
    const known = others.filter(({ source }) => this.sources.get(block.translation)?.has(source))
    this.sources.set(block.translation, new Set([block, ...known].map(({ source }) => source)))
  }
}

const names = ['text', 'words'] as const

const fieldsOf = (name: string) => [
  {
    name: 'blocks',
    kind: 'union' as const,
    list: true,
    settings: { variants: [{ name: 'prose', fields: [{ name, kind: 'text' as const, localized: true }] }] },
  },
]

async function open() {
  const quire = createQuire({ store: createMemoryStore() })
  const api = quire.as(systemIdentity('test'))
  const locales = { default: 'en', list: ['en', 'de'].map((code) => ({ code, name: code })) }
  await api.repositories.create({ name: configId, settings: { locales } })
  const { id: typeId } = await api.types.create({ name: 'story', fields: fieldsOf('text') })
  const { id } = await api.items.create({ repositoryId: configId, type: 'story', name: 'Ink' })
  return { quire, story: { api, typeId, id } }
}

interface Story {
  readonly api: Api
  readonly typeId: string
  readonly id: string
}

/** The same changes in Quire. Returns the number of fields that were renamed. */
async function rename({ api, typeId }: Story, times: number): Promise<number> {
  const [from = 'text', to = 'words'] = times % 2 === 0 ? names : names.toReversed()
  await api.types.update({
    id: typeId,
    migrate: true,
    fields: fieldsOf(to),
    renames: { [`blocks.prose.${to}`]: from },
  })
  return times + 1
}

async function save({ api, id }: Story, blocks: readonly Block[], name: string): Promise<void> {
  const values = blocks.map(({ source: en, translation: de }) => ({ type: 'prose', [name]: { en, de } }))
  await api.items.update({ configId, id, locale: '*', fields: { blocks: values } })
}

describe('the states of translations in blocks', () => {
  it('are those of the law after any history, also of equal blocks', async () => {
    const numRuns = 100
    let outdated = 0
    await fc.assert(
      fc.asyncProperty(fc.array(aChange, { minLength: 5, maxLength: 30, size: 'max' }), async (changes) => {
        const { quire, story } = await open()
        const model = new Model()
        let renamed = 0
        for (const change of changes) {
          const { deed, index } = change
          const path = `fields.blocks.${index}.${names[renamed % 2] ?? ''}`
          if (deed === 'rename') renamed = await rename(story, renamed)
          else if (deed === 'confirm' && model.blocks[index])
            await story.api.translations.confirm({ configId, itemId: story.id, locale: 'de', paths: [path] })
          model.run(change)
          if (deed !== 'rename' && deed !== 'confirm')
            await save(story, model.blocks, names[renamed % 2] ?? '')
          const { items } = await story.api.translations.list({ configId, locale: 'de' })
          const states = (items[0]?.translations ?? []).map(({ state }) => state)
          deepEqual(states, model.states())
          outdated += Number(states.includes('outdated'))
        }
        await quire.close()
      }),
      { numRuns },
    )
    expect(outdated).toBeGreaterThan(2 * numRuns)
  }, 120_000)
})
