/**
 * What parameters and the fields of bodies mean, where their schemas don't say it themselves: by their
 * name, or by the path to them from a named schema where the name means something else there.
 */
export const GLOSSARY: Record<string, string> = {
  // Schemas
  File: 'A picture or video with what is known of it',
  PoolFile: 'A file with its place in a pool',
  Tag: 'What files are kept by',
  TagRule: 'Where the when-tag is put on a file, the then-tag follows',
  Category: 'Tags of a kind',
  Pool: 'A collection of files',
  Permission: 'What one user may do with an object',
  DuplicateCluster: 'Files that are joined by pairs of files that look alike',
  ImportEvent:
    'One line of an import: first `start`, then a `file` for each entry, at last `done`; `error` ends one ' +
    'that could not go on',
  RescanEvent:
    'One line of a rescan: first `start`, then some `progress`, at last `done`; `error` ends one that ' +
    'failed, and the pairs of the rescan before stay',

  // Of most objects
  id: 'Given by the server, and never another',
  notes: 'Free text of several lines',
  color: 'Six hex digits for red, green and blue, without a `#`',
  metadata: 'Free key-value pairs',
  creator_id:
    'Id of the user whose it is; what a deleted user had passes to the admin who deleted them',
  creator_name: 'Name of the user whose it is',
  is_public: 'Whether everybody who is signed in may view it',
  created_at: 'When it was made',
  'Tag.name': 'No other tag has it',
  'TagCreate.name': 'Another tag may not have it; spaces around it are cut off',
  'TagUpdate.name': 'Another tag may not have it; spaces around it are cut off',
  'Category.name': 'No other category has it',
  'CategoryCreate.name': 'Another category may not have it; spaces around it are cut off',
  'CategoryUpdate.name': 'Another category may not have it; spaces around it are cut off',
  'Pool.name': 'Other pools may have it, too',
  'PoolCreate.name': 'Other pools may have it, too; spaces around it are cut off',
  'PoolUpdate.name': 'Other pools may have it, too; spaces around it are cut off',

  // Places in paths, and objects by their id
  file_id: 'Id of the file',
  tag_id: 'Id of the tag',
  then_tag_id: 'Id of the tag that follows',
  when_tag_id: 'Id of the tag that another one follows',
  category_id: 'Id of the category',
  'Tag.category_id': 'Id of the category of the tag; null for none',
  'TagCreate.category_id': 'Id of the category of the tag; null for none',
  'TagUpdate.category_id': 'Id of the category of the tag; null for none',
  pool_id: 'Id of the pool',
  session_id: 'Id of the session',
  user_id: 'Id of the user',
  user_name: 'Name of the user',
  object_type: 'What kind of object it is',
  object_id: 'Id of the object',

  // Pages
  items: 'What is on this page, in the order of the list',
  total: 'How many items the list has on all its pages',
  offset: 'How many items were skipped',
  limit: 'How many items a page has at most',
  next_cursor: 'The `cursor` of the page that follows; null when nothing follows',
  prev_cursor:
    'The `cursor` of the page before, to be sent with `direction=backward`; null at the beginning',

  // Files
  original_name: 'The name that it came with',
  mime_type: 'Its type, as its content tells',
  mime_extension: 'What names of files of its type end in, without a dot',
  content_datetime:
    'When it was taken: as given, else as EXIF tells (UTC where that names no zone), else when its source ' +
    'was last changed (import) or when it arrived',
  exif: 'What EXIF tells, by the names of that standard; empty when there is none',
  phash:
    'Perceptual hash: a signed 64-bit integer, which a double rounds; null when the content could not be ' +
    'decoded',
  is_deleted: 'Whether it is in the trash',
  needs_review: 'Whether somebody has still to look at its tags',
  tags: 'Its tags, as far as the caller may view them',
  file: 'The bytes of a picture or video, with its name; of one of the types under "Types of files"',
  'PoolFile.position':
    'Its place in the manual order, from 0; files that the caller does not see leave gaps',
  'BulkTags.action': 'Whether to put the tags on the files or to take them off',
  applied_tag_ids: 'The tags that were named and, for `add`, those that followed by rules',
  common_tag_ids: 'Tags that all of the files have',
  partial_tag_ids: 'Tags that some of the files have, but not all',
  'ContentToken.token': 'To be sent as `access_token` in the query of the content of this one file',
  expires_in: 'Seconds until the token expires',

  // Duplicates
  'DuplicateCluster.files': 'Two or more that look alike',
  distances:
    'Of each pair that the last rescan found; of files joined only through others there is none',
  a: 'Id of the one file',
  b: 'Id of the other file',
  distance: 'How many bits of the perceptual hashes differ',
  'DuplicateClusterPage.total': 'How many clusters there are on all pages',
  file_id_a: 'Id of the one file',
  file_id_b: 'Id of the other file, in any order',
  keep: 'Id of the file that survives',
  discard: 'Id of the other file',
  delete_discarded: 'Whether the other file moves to the trash',
  fields: 'From which of the two the survivor gets each field; `keep` where nothing else is said',
  'DuplicateResolve.fields.original_name': 'Whose name the survivor has',
  'DuplicateResolve.fields.notes': 'Whose notes the survivor has',
  'DuplicateResolve.fields.content_datetime': 'Whose time the survivor has',
  'DuplicateResolve.fields.is_public': 'Whose visibility the survivor has',
  'DuplicateResolve.fields.metadata':
    'Whose metadata the survivor has; `merge` takes the keys of both, and of equal keys its own values',
  'DuplicateResolve.fields.tags': 'Whether the survivor gains the tags of the other file',
  'DuplicateResolve.fields.pools':
    'Whether the survivor gains the places in pools of the other file',
  'SimilarFiles.items': 'The files, the most alike first',

  // Events
  'ImportEvent.type': 'What the line tells',
  'ImportEvent.total': 'Of `start`: entries that are to come; of `done`: entries that came',
  'ImportEvent.index': 'Of `file`: which entry it is, from 1',
  'ImportEvent.filename': 'Of `file`: the name of the entry',
  'ImportEvent.status': 'Of `file`: what became of the entry',
  'ImportEvent.reason': 'Of `file` and `error`: why, or a warning',
  'ImportEvent.imported': 'Of `done`: how many were imported',
  'ImportEvent.skipped': 'Of `done`: how many were skipped',
  'ImportEvent.errors': 'Of `done`: how many failed',
  'RescanEvent.type': 'What the line tells',
  'RescanEvent.stage':
    'Hashing of files without a hash, the search for pairs, the writing of what was found',
  'RescanEvent.done': 'How much of the stage is done',
  'RescanEvent.total': 'How much the stage has to do',
  'RescanEvent.files': 'How many files the library has',
  'RescanEvent.hashed': 'How many files got a hash that had none',
  'RescanEvent.failed': 'Of how many files no hash could be made',
  'RescanEvent.pairs': 'How many pairs were found',
  'RescanEvent.clusters': 'How many clusters they make',
  'RescanEvent.code': 'For programs, as in Error',
  'RescanEvent.message': 'For people, as in Error',
  'RescanEvent.seconds': 'How long the rescan took',

  // Tags and rules
  category_name: 'Name of its category, as far as the caller may view that',
  category_color: 'Color of its category, as far as the caller may view that',
  then_tag_name: 'Name of the tag that follows',
  is_active: 'Whether the rule takes effect',

  // Pools
  sort_key:
    '`manual` keeps the order that people gave, whatever `sort_order` says; any other key sorts by that field',
  file_count: 'How many files the caller sees in it',
  'PoolReorder.file_ids':
    'Files of the pool, each once, in the order that they get; those not named follow as they stood',

  // People
  permissions: 'All entries from now on; at most one for each user',
  can_view: 'Whether the user may view the object',
  can_edit: 'Whether the user may change the object, and so view it',
  'User.name': 'No other user has it',
  'UserCreate.name': 'Another user may not have it; spaces around it are cut off',
  'SelfUpdate.name': 'Another user may not have it; spaces around it are cut off',
  'Login.name': 'Name of the user',
  password: 'Of the length that the server asks for',
  'Login.password': 'Of the user',
  is_admin:
    'Whether the user may do everything, and alone manages users, reads the audit log and imports',
  can_create:
    'Whether the user may upload, and create tags, categories and pools; admins always may',
  is_blocked: 'Whether the user is kept out; blocking ends all of their sessions',
  access_token: 'To be sent as `Authorization: Bearer …`',
  refresh_token: 'To be exchanged for new tokens, once',
  user_agent: 'What the client called itself when it signed in',
  started_at: 'When somebody signed in',
  expires_at: 'When it ends unless it is refreshed',
  last_activity: 'When it was last used, to the minute',
  is_current: 'Whether the caller asks by this session',

  // The audit log
  'AuditLogEntry.user_name': 'Name of the user at that time',
  'AuditLogEntry.object_type': 'What kind of object it was done to; null for none',
  'AuditLogEntry.object_id': 'Id of the object it was done to; null for none',
  'AuditLogEntry.details': 'What changed, never a secret',
  performed_at: 'When it was done',

  // System and errors
  'Health.status': '`ok`',
  'Error.code': 'For programs',
  'Error.message': 'For people',
  'Error.details': 'What is wrong, field by field',
  field: 'Which one; a name in the path, the query or the body, with dots between its parts',
  'Error.details.message': 'What is wrong with it',
}
