/**
 * The limits of the contract (TRUST 4.2). Exceeding one is a 400 or 413 that names it, never
 * silently ignored.
 */
export const limits = {
  /** Entries per page: default and maximum. */
  pageDefault: 100,
  pageMost: 1000,
  /**
   * Characters of JSON in a page of items. The page ends with the item that exceeds it. Reading and
   * writing 10 MB blocked the thread for 130 ms.
   */
  pageText: 4 * 1024 ** 2,
  /**
   * Most entries that a potentially endless list counts. At ten times as many, counting the
   * activity of a repository takes seconds.
   */
  counted: 100_000,
  /** Values of an `in` list. */
  inList: 500,
  /** Ids in one bulk call. */
  bulkIds: 500,
  /** Nesting depth of `and`, `or` and `not`. */
  filterDepth: 10,
  /** Conditions of one filter, and values in all its lists together. */
  filterConditions: 500,
  filterValues: 5000,
  /** Facets of one query. */
  facets: 20,
  /** Nesting depth of a JSON value. */
  jsonDepth: 64,
  /** Pairs in a query string or form. */
  queryPairs: 1000,
  /** Values in a JSON body, lists and objects included. */
  jsonValues: 25_000,
  /** Issues that one error lists. */
  issues: 20,
  /**
   * Bytes of a request body (TRUST 4.2): of item operations, the token endpoint, sign-ins, public
   * endpoints, and of any other.
   */
  itemBodyBytes: 5 * 1024 ** 2,
  tokenBodyBytes: 8 * 1024,
  sessionBodyBytes: 16 * 1024,
  publicBodyBytes: 256 * 1024,
  bodyBytes: 1024 ** 2,
  /** Characters of texts. */
  name: 200,
  slug: 500,
  description: 10_000,
  styleGuide: 20_000,
  comment: 2000,
  packageComment: 10_000,
  /**
   * Comments of one package, and characters of all of them. They are one record, which each comment
   * writes again.
   */
  packageComments: 1000,
  packageCommentsText: 1_000_000,
  /** Share links of one package, and milliseconds that one works by default and at most. */
  shareLinks: 100,
  shareLinkLifetime: 7 * 24 * 60 * 60 * 1000,
  shareLinkLifetimeMost: 90 * 24 * 60 * 60 * 1000,
  search: 500,
  id: 256,
  /** Items of a page that can have highlights. */
  highlighted: 100,
  /** Parameters of a saved query. */
  queryParameters: 50,
  /** Characters of a saved query as JSON. */
  queryText: 64 * 1024,
  /** Characters of rich text: the default of a field, and the maximum that a field can set. */
  richTextDefault: 256 * 1024,
  richText: 500_000,
  /** Tags and entities in a rich text. Sanitizing this many takes about 30 ms. */
  richTextMarks: 20_000,
  /** Characters of a text whose field sets no limit. */
  text: 1_000_000,
  /** Characters of a text whose field has a pattern. Matching takes about 0.2 µs per character. */
  patternText: 10_000,
  /** Entries of a list field: the default, and the maximum that a field can set. */
  listDefault: 1000,
  listItems: 5000,
  /**
   * Characters of an item that are indexed for search; those beyond ASCII count twice. Indexing
   * this many takes about 40 ms.
   */
  searchedText: 200_000,
  /** Fields of one content type, nested ones included (DESIGN "Repositories and content types"). */
  fields: 300,
  /** Rows of a file, counting its line ends. */
  rows: 1_000_000,
  /** Bytes of a file of rows. */
  rowsBytes: 64 * 1024 ** 2,
  /** Bytes of an XLIFF file. */
  xliffBytes: 64 * 1024 ** 2,
  /** Variants of one union. */
  variants: 100,
  /** Content types of one schema. */
  schemaTypes: 500,
  /** Nesting depth of groups. */
  groupDepth: 5,
  /** Locales of a repository. */
  locales: 100,
  /** Characters of the code of a locale. */
  localeCode: 35,
  /** Characters of a text that filters and sorts compare. Longer operands are rejected. */
  comparedText: 512,
  /** Most references that a list of references counts. */
  countedReferences: 10_000,
  /** Nodes of a dependency graph in each direction. */
  dependencies: 1000,
  /** Depth of a dependency graph, in edges. */
  dependencyDepth: 10,
  /** Levels of a tree of folders, categories or sections. */
  treeDepth: 50,
  /** Nodes of a tree in one response. */
  treeNodes: 10_000,
  /** Entities that one recursive delete removes. */
  deletedAtOnce: 1000,
  /** Newest versions in `versionHistory` of an item. */
  versionHistory: 10,
  /**
   * If a content type sets no version limit, an item retains `versionsKept` versions once all its
   * versions take more than `versionsBytes`. At half of either there is less history; at twice, an
   * item takes twice the disk space.
   */
  versionsKept: 100,
  versionsBytes: 64 * 1024 ** 2,
  /** Characters of a file name, and of the name of a rendition. */
  fileName: 500,
  renditionName: 64,
  /** Bytes of a file. */
  fileBytes: 5 * 1024 ** 3,
  /** Open uploads per account. */
  openUploads: 20,
  /** Milliseconds after its last byte until an upload expires. */
  uploadLifetime: 24 * 60 * 60 * 1000,
  /** Characters of the URL of a file to fetch, and the origins that a repository names for it. */
  fetchUrl: 2000,
  fetchOrigins: 100,
  /** Characters of the address of a front end that shows items. */
  previewUrl: 2000,
  /** Redirects of a fetch. */
  fetchRedirects: 3,
  /** Milliseconds for a whole fetch: as long as a caller may take to send a file. */
  fetchTime: 15 * 60 * 1000,
  /** Fetches in progress, per account and in total. */
  fetchesOfOne: 4,
  fetchesOfAll: 16,
  /** Width or height of a rendition, in pixels. */
  renditionSide: 6000,
  /** Bytes of the file that a rendition is made from. */
  renditionSource: 64 * 1024 ** 2,
  /**
   * Sizes in pixels that the sides of an ad hoc rendition are rounded up to. At twice as many
   * steps, a picture has four times as many sizes.
   */
  renditionSteps: [32, 64, 128, 192, 256, 320, 480, 640, 800, 1024, 1280, 1600, 1920, 2560, 4000, 6000],
  /** Proportions (width / height) of the box that an ad hoc rendition fills. */
  renditionRatios: [
    1 / 4,
    1 / 3,
    1 / 2,
    9 / 16,
    2 / 3,
    3 / 4,
    4 / 5,
    1,
    5 / 4,
    4 / 3,
    3 / 2,
    16 / 9,
    2,
    3,
    4,
    6,
  ],
  /** Assets and bytes in one ZIP archive. */
  zipEntries: 5000,
  zipBytes: 20 * 1024 ** 3,
  /** ZIP archives in progress, per account and in total. */
  zipsOfOne: 2,
  zipsOfAll: 4,
  /** Imports of files at the same time: of one caller and of all. */
  importsOfOne: 1,
  importsOfAll: 2,
  /** Characters of a webhook's template. */
  webhookTemplate: 64 * 1024,
  /** Characters and names of a path in dot notation. */
  dotPath: 200,
  dotNames: 10,
  /** Members of a webhook's mapping. */
  webhookMapping: 100,
  /** Headers of a webhook. */
  webhookHeaders: 20,
  /** Bytes of the cache tags of one answer, with a character between them. */
  cacheTags: 1024,
  /** Cache tags of one event. A change that affects more affects the whole repository. */
  purgedTags: 500,
  /** Bytes of a delivery: an item of 5 MiB and the payload around it. */
  webhookBody: 6 * 1024 ** 2,
  /** Characters of a site's template, and of its name. */
  template: 64 * 1024,
  templateName: 64,
  /** Templates of a site. */
  templates: 100,
  /** Publications that a site retains in addition to the active one. */
  publications: 20,
  /** Milliseconds to render a page. */
  renderTime: 2000,
  /** Bytes of a rendered page. */
  pageBytes: 5 * 1024 ** 2,
  /**
   * Redirects from addresses of moved pages in a publication. At twice as many, its manifest is
   * about 2 MB larger.
   */
  redirects: 50_000,
  /**
   * UTF-8 bytes of one path segment of a site, which is also the name of a folder of static files.
   */
  pathPartBytes: 240,
  /** Groups of a workflow step. */
  workflowGroups: 200,
  /** Steps of a workflow. */
  workflowSteps: 100,
  /** Entries in the history of a workflow. */
  workflowHistory: 1000,
  /** History entries per review in a list: 1000 complete histories would be a million entries. */
  workflowInboxHistory: 10,
  /** Characters of workflow metadata as JSON. */
  workflowMetadata: 64 * 1024,
  /** Longest timeout for a workflow engine, in milliseconds. */
  workflowTimeout: 14_000,
  /** Bytes of a workflow engine's response. */
  workflowAnswer: 256 * 1024,
  /** Characters and complexity of a GraphQL document (TRUST 4.2). */
  graphqlQuery: 64 * 1024,
  graphqlTokens: 2000,
  graphqlDepth: 10,
  graphqlAliases: 15,
  graphqlDirectives: 50,
  graphqlCost: 5000,
  /** Characters of the path and of the query string of a proxied request. */
  proxiedPath: 2000,
  proxiedQuery: 8000,
  /** Milliseconds to connect to an upstream. */
  proxiedConnect: 5000,
  /** Milliseconds without a byte from an upstream. */
  proxiedIdle: 30_000,
  /** Milliseconds for a whole proxied request. */
  proxiedTime: 15_000,
  /** Bytes of a proxied body. */
  proxiedBytes: 1024 ** 2,
  /** Milliseconds and bytes of a proxied request to a language model, which takes longer. */
  modelTime: 120_000,
  modelBytes: 10 * 1024 ** 2,
  /** Characters of an item that an AI task sends to a language model. */
  taskText: 40_000,
  /** Bytes of a picture that an AI task sends. */
  taskPicture: 4 * 1024 ** 2,
  /** Categories that an AI task offers to choose from. */
  taskCategories: 500,
  /** Characters of a proposal. */
  taskAnswer: 100_000,
  /** Milliseconds until a page diff expires. */
  pageDiffLifetime: 600_000,
  /** Pages in a page diff. */
  pageDiffPages: 100,
  /** Open event streams, per account and in total. */
  streamsOfOne: 10,
  streamsOfAll: 100,
  /** Lifetime of an access token, in seconds (specification 8). */
  tokenLifetime: 3600,
  /** Lifetime of a browser session, in seconds. */
  sessionLifetime: 12 * 60 * 60,
  /** Milliseconds to complete a sign-in. */
  signInLifetime: 10 * 60 * 1000,
  /** Milliseconds to open a one-time sign-in link. */
  signInLinkLifetime: 15 * 60 * 1000,
  /** Entries in a user's recent repositories and in the recent sites (specification 8). */
  recents: 3,
} as const
