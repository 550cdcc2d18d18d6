import { createPage, createPublication, createSection, createSite } from '../sites.ts'
import type { Targets } from '../targets.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about sites and their publications. */
export const sites: InputMakers<'sites'> = {
  list: async (at) => {
    const { siteId, ...scope } = await createSite(at)
    const { name } = await at.system.sites.get({ ...scope, siteId })
    return { ...scope, text: name.slice(-6) }
  },
  get: createSite,
  create: (at) => {
    const name = at.word('new')
    return { configId: at.configId, ...at.branch, name, slug: name }
  },
  update: async (at) => ({ ...(await createSite(at)), description: 'Changed' }),
  delete: async (at) => ({ ...(await createPage(at)).ref, recursive: true }),
  tree: async (at) => (await createPage(at)).ref,
  publish: async (at) => (await createPage(at)).ref,
  publications: async (at) => {
    const { id: _id, ...ref } = await onPublication(at)
    return ref
  },
  rollback: onPublication,
  export: onPublication,
  preview: async (at) => {
    const { ref, path } = await createPage(at)
    return { ...ref, path: `${path}/` }
  },
  serve: async (at) => (await createPublication(at)).served,
}

/** Requests about sections. */
export const sections: InputMakers<'sections'> = {
  list: async (at) => {
    const { id: _id, ...ref } = await createSection(at)
    return ref
  },
  get: createSection,
  create: async (at) => ({ ...(await createSite(at)), name: at.word('new') }),
  update: async (at) => ({ ...(await createSection(at)), order: 7 }),
  move: async (at) => ({ ...(await createSection(at)), parentId: null, order: 7 }),
  delete: createSection,
}

/** Requests about pages. */
export const pages: InputMakers<'pages'> = {
  list: async (at) => (await createPage(at)).ref,
  get: onPage,
  create: async (at) => {
    const { id: sectionId, ...ref } = await createSection(at)
    return { ...ref, sectionId, name: at.word('new') }
  },
  update: async (at) => ({ ...(await onPage(at)), visible: false }),
  move: async (at) => {
    const { ref, id, sectionId } = await createPage(at)
    return { ...ref, id, sectionId, order: 7 }
  },
  delete: onPage,
}

async function onPage(at: Targets) {
  const { ref, id } = await createPage(at)
  return { ...ref, id }
}

async function onPublication(at: Targets) {
  return (await createPublication(at)).publication
}
