/** Limits of the contract (TRUST 4.2). Over a limit is a named 400 or 413, never silence. */
export const limits = {
  /** Entries of a page: default and most. */
  pageDefault: 100,
  pageMost: 1000,
  /** Characters of a page of items, as they are sent: with the item that comes to more it ends. To read and write 10 MB took 130 ms of the thread. */
  pageText: 4 * 1024 ** 2,
  /** Entries that a list without an end looks at for its count. At ten times as many, to count the activity of a repository takes seconds. */
  counted: 100_000,
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
  /** Pairs of a query string or form; values of a JSON body, counting lists and objects; issues that one error lists. */
  queryPairs: 1000,
  jsonValues: 25_000,
  issues: 20,
  /** Bytes of a body (TRUST 4.2): of an operation on items, which may be long; of the token endpoint; of sign-ins; of what anybody may send; of any other. */
  itemBodyBytes: 5 * 1024 ** 2,
  tokenBodyBytes: 8 * 1024,
  sessionBodyBytes: 16 * 1024,
  publicBodyBytes: 256 * 1024,
  bodyBytes: 1024 ** 2,
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
  /** Of rich text: characters, where its field says nothing and at most; tags and entities, of which as many are sanitized in some 30 ms. */
  richTextDefault: 256 * 1024,
  richText: 500_000,
  richTextMarks: 20_000,
  /** Characters of a text whose field sets no bound; of one whose field has a pattern, which takes some 0.2 µs of each. */
  text: 1_000_000,
  patternText: 10_000,
  /** Entries of a list, where its field says nothing and at most. */
  listDefault: 1000,
  listItems: 5000,
  /** Characters of an item that search finds it by, those beyond ASCII counting twice: to index as many takes some 40 ms. */
  searchedText: 200_000,
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
  /** Versions that are kept of an item whose type sets no limit, once they take more than so many bytes. At half of either, who looks back finds less; at twice, one item takes twice the disk. */
  versionsKept: 100,
  versionsBytes: 64 * 1024 ** 2,
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
  /** What the sides of a picture that is made to measure are rounded up to, in pixels; width by height of a box that it fills. At twice as many, a picture has four times the sizes. */
  renditionSteps: [32, 64, 128, 192, 256, 320, 480, 640, 800, 1024, 1280, 1600, 1920, 2560, 4000, 6000],
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
  /** Assets and bytes of one ZIP archive; archives under way for one account and for all. */
  zipEntries: 5000,
  zipBytes: 20 * 1024 ** 3,
  zipsOfOne: 2,
  zipsOfAll: 4,
  /** Of a webhook: characters of its template, characters and names of a path, headers, members of its mapping, and bytes of a body: an item of 5 MiB with what is said around it. */
  webhookTemplate: 64 * 1024,
  dotPath: 200,
  dotNames: 10,
  webhookMapping: 100,
  webhookHeaders: 20,
  webhookBody: 6 * 1024 ** 2,
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
  proxiedPath: 2000,
  proxiedQuery: 8000,
  proxiedConnect: 5000,
  proxiedIdle: 30_000,
  proxiedTime: 15_000,
  proxiedBytes: 1024 ** 2,
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
  /** Seconds (specification 8). */
  tokenLifetime: 3600,
  /** Seconds that a browser stays signed in; ms within which a sign-in must end, and a one-time link be opened. */
  sessionLifetime: 12 * 60 * 60,
  signInLifetime: 10 * 60 * 1000,
  signInLinkLifetime: 15 * 60 * 1000,
  /** Entries of the recent repositories and sites of a user (specification 8). */
  recents: 3,
} as const
