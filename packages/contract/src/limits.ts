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
