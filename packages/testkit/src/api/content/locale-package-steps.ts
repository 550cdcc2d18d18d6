import type { Bench } from '../host.ts'

const configId = 'packaged'
const all = ['en', 'de', 'de-AT', 'ar']

/** Steps of tests of publication in locales by a package. */
export function localePackageSteps(bench: () => Bench) {
  const create = (name: string, title: Record<string, string>, packageName?: string) =>
    bench().api.items.create({
      repositoryId: configId,
      type: 'story',
      name,
      locale: '*',
      fields: { title, price: 1 },
      ...(packageName !== undefined && { packageName }),
    })

  /** The titles that everybody sees, by locale. */
  const shown = async (id: string) => {
    const titles = all.map(async (locale) => {
      try {
        const { fields } = await bench().api.published.item({ configId, id, locale })
        return [[locale, fields?.['title']]]
      } catch {
        return []
      }
    })
    return Object.fromEntries((await Promise.all(titles)).flat())
  }

  const open = (name: string) => bench().api.packages.create({ repo: configId, name })
  const merge = (packageName: string, more: object = {}) =>
    bench().api.packages.merge({ repo: configId, packageName, ...more })
  const versionsOf = ({ publications }: { publications?: Record<string, { version: number }> | undefined }) =>
    Object.fromEntries(Object.entries(publications ?? {}).map(([code, { version }]) => [code, version]))

  return { configId, create, shown, open, merge, versionsOf }
}
