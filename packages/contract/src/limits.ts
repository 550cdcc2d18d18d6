/** Limits of the contract (TRUST 4.2). Over a limit is a named 400 or 413, never silence. */
export const limits = {
  /** Entries of a page: default and most. */
  pageDefault: 100,
  pageMost: 1000,
  /** Values of an `in` list, ids of a bulk call. */
  inList: 500,
  bulkIds: 500,
  /** Nesting of `and`, `or`, `not`, and of any JSON value. */
  filterDepth: 10,
  /** Conditions of one filter, and values of all its lists; fields that one query counts the values of. */
  filterConditions: 500,
  filterValues: 5000,
  facets: 20,
  jsonDepth: 64,
  /** Characters. */
  name: 200,
  slug: 500,
  description: 10_000,
  comment: 2000,
  search: 500,
  id: 256,
  /** Items of a page that highlights are cut for. */
  highlighted: 100,
  /** Parameters of a saved query; characters of its JSON. */
  queryParameters: 50,
  queryText: 64 * 1024,
  /** Fields of one content type, counting nested ones; depth of groups (DESIGN "Repositories and content types"). */
  fields: 300,
  groupDepth: 5,
  /** Characters of a text that filters and sorts compare; longer operands are refused. */
  comparedText: 512,
  /** References that a list of them counts; what a graph of dependencies holds each way, and how many edges deep it goes. */
  countedReferences: 10_000,
  dependencies: 1000,
  dependencyDepth: 10,
  /** Levels of a tree of folders or categories; folders or categories that one answer holds; what one recursive delete takes. */
  treeDepth: 50,
  treeNodes: 10_000,
  deletedAtOnce: 1000,
  /** The newest versions that an item carries in `versionHistory`. */
  versionHistory: 10,
  /** Characters of file names and of names of renditions. */
  fileName: 500,
  renditionName: 64,
  /** Bytes of a file; uploads of one account that are open at a time; ms after the last byte at which one expires. */
  fileBytes: 5 * 1024 ** 3,
  openUploads: 20,
  uploadLifetime: 24 * 60 * 60 * 1000,
  /** Pixels of a side of a rendition; bytes of what it is made of. */
  renditionSide: 6000,
  renditionSource: 64 * 1024 ** 2,
  /** Assets and bytes of one ZIP archive; archives under way for one account and for all. */
  zipEntries: 5000,
  zipBytes: 20 * 1024 ** 3,
  zipsOfOne: 2,
  zipsOfAll: 4,
  /** Of a webhook: characters of its template, characters and names of a path, headers, members of its mapping, and bytes of a body. */
  webhookTemplate: 64 * 1024,
  dotPath: 200,
  dotNames: 10,
  webhookMapping: 100,
  webhookHeaders: 20,
  webhookBody: 256 * 1024,
  /** Of a site: characters of a template and of its name, templates, publications that are kept beside the active one; what one page renders in, ms and bytes. */
  template: 64 * 1024,
  templateName: 64,
  templates: 100,
  publications: 20,
  renderTime: 2000,
  pageBytes: 5 * 1024 ** 2,
  /** Of a site: addresses of pages that moved which a publication knows: at twice its manifest takes some 2 MB more. */
  redirects: 50_000,
  /** Bytes of UTF-8 of a part of an address that is a folder of static files too. */
  pathPartBytes: 240,
  /** Of a workflow: groups of a step, steps, entries of its history, characters of metadata as JSON; ms that an engine has, and bytes of its answer. */
  workflowGroups: 200,
  workflowSteps: 100,
  workflowHistory: 1000,
  /** Entries of each history in a list of reviews: a page of 1000 whole ones would be a million entries. */
  workflowInboxHistory: 10,
  workflowMetadata: 64 * 1024,
  workflowTimeout: 14_000,
  workflowAnswer: 256 * 1024,
  /** Of a GraphQL document: characters, and what it asks (TRUST 4.2). */
  graphqlQuery: 64 * 1024,
  graphqlTokens: 2000,
  graphqlDepth: 10,
  graphqlAliases: 15,
  graphqlDirectives: 50,
  graphqlCost: 5000,
  /** Of what is passed on to others: characters of a path and of a query string; ms until a connection stands, without a byte, and in all; bytes of a body. */
  passedPath: 2000,
  passedQuery: 8000,
  passedConnect: 5000,
  passedIdle: 30_000,
  passedTime: 15_000,
  passedBytes: 1024 ** 2,
  /** The same for language models, which take longer. */
  modelTime: 120_000,
  modelBytes: 10 * 1024 ** 2,
  /** Of a task for a language model: characters of an item and bytes of a picture that it is shown, categories that it chooses from, characters of what it proposes. */
  taskText: 40_000,
  taskPicture: 4 * 1024 ** 2,
  taskCategories: 500,
  taskAnswer: 100_000,
  /** Ms for which a page diff can be looked at; pages that one shows. */
  pageDiffLifetime: 600_000,
  pageDiffPages: 100,
  /** Streams of events that are open at a time, of one account and of all. */
  streamsOfOne: 10,
  streamsOfAll: 100,
  /** Seconds (specification section 8). */
  tokenLifetime: 3600,
  /** Seconds that a browser stays signed in; ms within which a sign-in must end, and a one-time link be opened. */
  sessionLifetime: 12 * 60 * 60,
  signInLifetime: 10 * 60 * 1000,
  signInLinkLifetime: 15 * 60 * 1000,
  /** Entries of the recent repositories and sites of a user (specification section 8). */
  recents: 3,
} as const
