/** What the tags of the specification (section 1) stand for. A test finds one that is missing here. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Authentication: 'Access tokens, the keys that verify them, and what you may do',
  Items: 'Content items: read, write, versions, publishing',
  Assets: 'The files of items: fetch, replace, download as an archive',
  Renditions: 'Derived and hand-made pictures of assets, and presets',
  'Content Management': 'Content types, repositories and update packages',
  Security: 'Roles and service accounts',
}
