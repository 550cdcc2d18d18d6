import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { branchSearch, itemSearch, listSearch, siteSearch } from './content/search.ts'
import { packageFilter } from './packages/filter.ts'
import { Frame } from './frame/frame.tsx'
import { Problem } from './controls/problem.tsx'
import { textMembers } from './frame/search.ts'
import { NotFound } from './frame/not-found.tsx'
import { Repositories } from './frame/repositories.tsx'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })

const repositories = createRoute({ getParentRoute: () => root, path: '/', component: Repositories })

const repository = createRoute({
  getParentRoute: () => root,
  path: '/$repo',
})

const repositoryHome = createRoute({
  getParentRoute: () => repository,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$repo/packages', params })
  },
})

const packages = createRoute({
  getParentRoute: () => repository,
  path: '/packages',
  validateSearch: packageFilter,
  component: lazyRouteComponent(() => import('./packages/list.tsx'), 'PackageList'),
})

const onePackage = createRoute({
  getParentRoute: () => repository,
  path: '/packages/$packageName',
  component: lazyRouteComponent(() => import('./packages/one.tsx'), 'OnePackage'),
})

const review = createRoute({
  getParentRoute: () => onePackage,
  path: '/',
  component: lazyRouteComponent(() => import('./packages/review.tsx'), 'PackageReview'),
})

const changes = createRoute({
  getParentRoute: () => onePackage,
  path: '/changes',
  validateSearch: (search): { cursor?: string | undefined } => textMembers(search, ['cursor']),
  component: lazyRouteComponent(() => import('./packages/changes.tsx'), 'PackageChanges'),
})

const pages = createRoute({
  getParentRoute: () => onePackage,
  path: '/pages',
  component: lazyRouteComponent(() => import('./packages/pages.tsx'), 'PackagePages'),
})

const conflicts = createRoute({
  getParentRoute: () => onePackage,
  path: '/conflicts',
  component: lazyRouteComponent(() => import('./packages/conflicts.tsx'), 'PackageConflicts'),
})

const merge = createRoute({
  getParentRoute: () => onePackage,
  path: '/merge',
  component: lazyRouteComponent(() => import('./packages/merge.tsx'), 'PackageMerge'),
})

const content = createRoute({
  getParentRoute: () => repository,
  path: '/content',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./content/list.tsx'), 'ContentList'),
})

const assets = createRoute({
  getParentRoute: () => repository,
  path: '/assets',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./assets/grid.tsx'), 'AssetGrid'),
})

const sites = createRoute({
  getParentRoute: () => repository,
  path: '/sites',
  validateSearch: branchSearch,
  component: lazyRouteComponent(() => import('./sites/list.tsx'), 'SiteList'),
})

const oneSite = createRoute({
  getParentRoute: () => repository,
  path: '/sites/$siteId',
  validateSearch: siteSearch,
  component: lazyRouteComponent(() => import('./sites/one.tsx'), 'OneSite'),
})

const sitePages = createRoute({
  getParentRoute: () => oneSite,
  path: '/',
  component: lazyRouteComponent(() => import('./sites/pages.tsx'), 'SitePages'),
})

const templates = createRoute({
  getParentRoute: () => oneSite,
  path: '/templates',
  component: lazyRouteComponent(() => import('./sites/templates.tsx'), 'SiteTemplates'),
})

const publications = createRoute({
  getParentRoute: () => oneSite,
  path: '/publications',
  component: lazyRouteComponent(() => import('./sites/publications.tsx'), 'SitePublications'),
})

const folders = createRoute({
  getParentRoute: () => repository,
  path: '/folders',
  validateSearch: branchSearch,
  component: lazyRouteComponent(() => import('./trees/folders.tsx'), 'Folders'),
})

const categories = createRoute({
  getParentRoute: () => repository,
  path: '/categories',
  validateSearch: branchSearch,
  component: lazyRouteComponent(() => import('./trees/categories.tsx'), 'Taxonomies'),
})

const oneItem = createRoute({
  getParentRoute: () => repository,
  path: '/content/$id',
  validateSearch: itemSearch,
  component: lazyRouteComponent(() => import('./content/item.tsx'), 'OneItem'),
})

const edit = createRoute({
  getParentRoute: () => oneItem,
  path: '/',
  component: lazyRouteComponent(() => import('./content/edit.tsx'), 'EditItem'),
})

const file = createRoute({
  getParentRoute: () => oneItem,
  path: '/file',
  component: lazyRouteComponent(() => import('./assets/file.tsx'), 'AssetFile'),
})

const versions = createRoute({
  getParentRoute: () => oneItem,
  path: '/versions',
  component: lazyRouteComponent(() => import('./content/versions.tsx'), 'ItemVersions'),
})

const uses = createRoute({
  getParentRoute: () => oneItem,
  path: '/uses',
  component: lazyRouteComponent(() => import('./content/uses.tsx'), 'ItemUses'),
})

// No repository has this name.
const operate = createRoute({
  getParentRoute: () => root,
  path: '/-',
  component: lazyRouteComponent(() => import('./operate/frame.tsx'), 'Operate'),
})

const contentTypes = createRoute({
  getParentRoute: () => operate,
  path: '/',
  validateSearch: (search): { type?: string | undefined } => textMembers(search, ['type']),
  component: lazyRouteComponent(() => import('./operate/types.tsx'), 'ContentTypes'),
})

const people = createRoute({
  getParentRoute: () => operate,
  path: '/people',
  validateSearch: (search): { kind?: string | undefined; id?: string | undefined } =>
    textMembers(search, ['kind', 'id']),
  component: lazyRouteComponent(() => import('./operate/people.tsx'), 'People'),
})

const webhooks = createRoute({
  getParentRoute: () => operate,
  path: '/webhooks',
  validateSearch: (search): { id?: string | undefined } => textMembers(search, ['id']),
  component: lazyRouteComponent(() => import('./operate/webhooks.tsx'), 'Webhooks'),
})

const queue = createRoute({
  getParentRoute: () => operate,
  path: '/queue',
  validateSearch: (search): { state?: string | undefined; cursor?: string | undefined } =>
    textMembers(search, ['state', 'cursor']),
  component: lazyRouteComponent(() => import('./operate/queue.tsx'), 'Queue'),
})

const audit = createRoute({
  getParentRoute: () => operate,
  path: '/audit',
  validateSearch: (search): { cursor?: string | undefined } => textMembers(search, ['cursor']),
  component: lazyRouteComponent(() => import('./operate/audit.tsx'), 'Audit'),
})

const health = createRoute({
  getParentRoute: () => operate,
  path: '/health',
  component: lazyRouteComponent(() => import('./operate/health.tsx'), 'HealthChecks'),
})

/** Every view is an address below the path of this page. */
export const router = createRouter({
  defaultErrorComponent: ({ error, reset }) => <Problem error={error} onRetry={reset} />,
  basepath: new URL('.', document.baseURI).pathname,
  routeTree: root.addChildren([
    repositories,
    operate.addChildren([contentTypes, people, webhooks, queue, audit, health]),
    repository.addChildren([
      repositoryHome,
      content,
      assets,
      sites,
      oneSite.addChildren([sitePages, templates, publications]),
      folders,
      categories,
      oneItem.addChildren([edit, file, versions, uses]),
      packages,
      onePackage.addChildren([review, changes, pages, conflicts, merge]),
    ]),
  ]),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
